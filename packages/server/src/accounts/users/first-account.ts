import { createHash, randomBytes } from 'node:crypto'
import type { Database } from '../../storage/db/database.ts'

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** There is one row at most. */
const ID = 1

interface FirstAccountDependencies {
  readonly db: Database
  readonly dashboardUrl: string
  readonly now: () => number
}

/** The link that creates the first account where sign-up is closed. Only the hash of its token is stored. */
export class FirstAccount {
  readonly #deps: FirstAccountDependencies

  constructor(deps: FirstAccountDependencies) {
    this.#deps = deps
  }

  /** Creates a new link, after which earlier links do not work. Undefined if there is an account. */
  async offer(): Promise<string | undefined> {
    const { db, dashboardUrl, now } = this.#deps
    const token = randomBytes(32).toString('base64url')
    const row = { token_hash: hashOf(token), created_at: now() }
    const isOffered = await db.write(async () => {
      await db.sql.deleteFrom('first_account').execute()
      if (await this.#hasUser()) return false
      await db.sql
        .insertInto('first_account')
        .values({ id: ID, ...row })
        // Another node may start at the same time.
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute()
      return true
    })
    return isOffered ? `${dashboardUrl}/sign-up?token=${token}` : undefined
  }

  async isToken(token: string): Promise<boolean> {
    const found = await this.#deps.db.sql
      .selectFrom('first_account')
      .select('id')
      .where('token_hash', '=', hashOf(token))
      .executeTakeFirst()
    return found !== undefined && !(await this.#hasUser())
  }

  /** Uses the token up, in the transaction that creates the user. Of two at once, the second finds no row. */
  async take(userUuid: string, token: string): Promise<boolean> {
    const { numDeletedRows } = await this.#deps.db.sql
      .deleteFrom('first_account')
      .where('token_hash', '=', hashOf(token))
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n && !(await this.#hasUser(userUuid))
  }

  async #hasUser(besides = ''): Promise<boolean> {
    const found = await this.#deps.db.sql
      .selectFrom('users')
      .select('uuid')
      .where('removed_at', 'is', null)
      .where('uuid', '!=', besides)
      .limit(1)
      .executeTakeFirst()
    return found !== undefined
  }
}
