import type { Updateable } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import type { UserRow } from '../../storage/db/tables.ts'

export type { UserRow }

export function createUserStore(db: Database) {
  return {
    /** False if the email address is taken. */
    async insert(row: UserRow): Promise<boolean> {
      const result = await db.sql
        .insertInto('users')
        .values(row)
        .onConflict((conflict) => conflict.column('email').doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    find(uuid: string): Promise<UserRow | undefined> {
      return db.sql
        .selectFrom('users')
        .selectAll()
        .where('uuid', '=', uuid)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
    },
    /** Of two requests that add a membership, the second sees that of the first. */
    async lock(uuid: string): Promise<void> {
      await db.dialect.locking(db.sql.selectFrom('users').select('uuid').where('uuid', '=', uuid)).execute()
    },
    /**
     * Locks a user, for what a password has permitted. False if the password was changed since the row was read: its change
     * ends all access with the old one, also access that is about to begin.
     */
    async lockUnchanged({ uuid, password_hash }: Pick<UserRow, 'uuid' | 'password_hash'>): Promise<boolean> {
      await this.lock(uuid)
      return (await this.find(uuid))?.password_hash === password_hash
    },
    findByEmail(email: string): Promise<UserRow | undefined> {
      return db.sql
        .selectFrom('users')
        .selectAll()
        .where('email', '=', email)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
    },
    /** Marks the address as confirmed, and adopts it if it is new. False if another account has it. */
    confirm(uuid: string, email: string, at: number): Promise<boolean> {
      return this.changeEmail(uuid, email, at, at)
    },
    /** Changes the address, and its confirmation if given. False if another account has it. */
    async changeEmail(uuid: string, email: string, at: number, confirmedAt?: number): Promise<boolean> {
      const taken = await db.sql
        .selectFrom('users')
        .select('uuid')
        .where('email', '=', email)
        .where('uuid', '!=', uuid)
        .executeTakeFirst()
      if (taken !== undefined) return false
      const confirmed = confirmedAt === undefined ? {} : { confirmed_at: confirmedAt }
      return this.update(uuid, { email, ...confirmed, updated_at: at })
    },
    /** The next users after this one, for work over all accounts. */
    listAfter(uuid: string, take: number): Promise<UserRow[]> {
      return db.sql
        .selectFrom('users')
        .selectAll()
        .where('uuid', '>', uuid)
        .where('removed_at', 'is', null)
        .orderBy('uuid')
        .limit(take)
        .execute()
    },
    async update(uuid: string, changes: Updateable<UserRow>): Promise<boolean> {
      const result = await db.sql
        .updateTable('users')
        .set(changes)
        .where('uuid', '=', uuid)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
  }
}

export type UserStore = ReturnType<typeof createUserStore>
