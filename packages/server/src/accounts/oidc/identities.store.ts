import type { Database } from '../../storage/db/database.ts'
import type { IdentityRow } from '../../storage/db/tables.ts'

export function createIdentityStore(db: Database) {
  return {
    find(issuer: string, subject: string): Promise<IdentityRow | undefined> {
      return db.sql
        .selectFrom('identities')
        .selectAll()
        .where('issuer', '=', issuer)
        .where('subject', '=', subject)
        .executeTakeFirst()
    },
    list(userUuid: string): Promise<IdentityRow[]> {
      return db.sql
        .selectFrom('identities')
        .selectAll()
        .where('user_uuid', '=', userUuid)
        .orderBy('uuid')
        .execute()
    },
    /** False if it is already linked to an account. */
    async insert(row: IdentityRow): Promise<boolean> {
      const result = await db.sql
        .insertInto('identities')
        .values(row)
        .onConflict((conflict) => conflict.columns(['issuer', 'subject']).doNothing())
        .executeTakeFirst()
      return Number(result.numInsertedOrUpdatedRows ?? 0) > 0
    },
    async use(uuid: string, at: number): Promise<boolean> {
      const result = await db.sql
        .updateTable('identities')
        .set({ last_used_at: at })
        .where('uuid', '=', uuid)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },
    async remove(userUuid: string, uuid?: string): Promise<boolean> {
      const all = db.sql.deleteFrom('identities').where('user_uuid', '=', userUuid)
      const result = await (uuid === undefined ? all : all.where('uuid', '=', uuid)).executeTakeFirst()
      return result.numDeletedRows > 0n
    },
  }
}

export type IdentityStore = ReturnType<typeof createIdentityStore>
