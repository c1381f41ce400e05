import type { Data } from '@waymark/contract/schemas'
import { plainAddress } from '../clicks/attributes/addresses.ts'
import type { CallingClient } from '../net/caller.ts'
import type { Database } from '../storage/db/database.ts'
import type { SecurityEventRow } from '../storage/db/tables.ts'
import { DAY_MS, HOUR_MS, isoTime } from '../work/times.ts'

const KEPT_MS = 90 * DAY_MS
const LISTED = 50
const MAX_CHARS = 512

export interface SecurityEventDependencies {
  readonly db: Database
  /** ISO country code of an address, or ''. */
  readonly countryOf: (address: string) => string
  readonly now: () => number
  readonly newId: () => string
}

interface About {
  /** The sign-in method, or what was changed. */
  readonly detail?: string | null
  readonly client?: CallingClient | undefined
}

/** Sign-ins and changes of access to a user's account, shown only to the user. */
export class SecurityEvents {
  readonly #deps: SecurityEventDependencies

  constructor(deps: SecurityEventDependencies) {
    this.#deps = deps
  }

  record(userUuid: string, kind: SecurityEventRow['kind'], { detail, client }: About = {}): Promise<void> {
    return this.#add(userUuid, kind, this.#deps.now(), {
      detail: detail?.slice(0, MAX_CHARS).toWellFormed() ?? null,
      user_agent: client?.userAgent?.slice(0, MAX_CHARS).toWellFormed() ?? null,
      country: client === undefined ? null : this.placeOf(client),
    })
  }

  /** Failed sign-ins are counted per hour, so that password guessing does not fill the list. */
  async recordRefused(userUuid: string): Promise<void> {
    const hour = Math.floor(this.#deps.now() / HOUR_MS) * HOUR_MS
    await this.#add(userUuid, 'sign_in_refused', hour, { detail: null, user_agent: null, country: null })
  }

  /** The country of a client, as far as its address shows. */
  placeOf({ address }: CallingClient): string | null {
    return this.#deps.countryOf(plainAddress(address)) || null
  }

  async list(userUuid: string): Promise<Data<'securityEvents'>> {
    const rows = await this.#deps.db.sql
      .selectFrom('security_events')
      .selectAll()
      .where('user_uuid', '=', userUuid)
      .orderBy('created_at', 'desc')
      .limit(LISTED)
      .execute()
    return rows.map(({ user_uuid: _user, created_at, ...row }) => ({
      ...row,
      created_at: isoTime(created_at),
    }))
  }

  async sweep(): Promise<void> {
    const { db, now } = this.#deps
    await db.write(() =>
      db.sql
        .deleteFrom('security_events')
        .where('created_at', '<', now() - KEPT_MS)
        .execute(),
    )
  }

  async #add(
    userUuid: string,
    kind: SecurityEventRow['kind'],
    atMs: number,
    about: Pick<SecurityEventRow, 'detail' | 'user_agent' | 'country'>,
  ): Promise<void> {
    const { db, newId } = this.#deps
    const row = { uuid: newId(), user_uuid: userUuid, kind, ...about, count: 1, created_at: atMs }
    await db.write(() =>
      db.sql
        .insertInto('security_events')
        .values(row)
        .onConflict((conflict) =>
          conflict
            .columns(['user_uuid', 'kind', 'created_at'])
            .doUpdateSet((eb) => ({ count: eb('security_events.count', '+', 1) })),
        )
        .execute(),
    )
  }
}
