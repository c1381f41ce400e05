import type { Database } from '../../storage/db/database.ts'
import type { DomainClaimRow } from '../../storage/db/tables.ts'
import { DAY_MS } from '../../runtime/times.ts'

export type { DomainClaimRow }

/** Claims that are older than this have lapsed. */
export const CLAIM_LIFE_MS = 7 * DAY_MS

export function createClaimStore(db: Database) {
  const open = (nowMs: number) =>
    db.sql
      .selectFrom('domain_claims')
      .selectAll()
      .where('created_at', '>', nowMs - CLAIM_LIFE_MS)

  return {
    async insert(row: DomainClaimRow): Promise<void> {
      await db.sql.insertInto('domain_claims').values(row).execute()
    },
    find(userUuid: string, name: string, nowMs: number): Promise<DomainClaimRow | undefined> {
      return open(nowMs).where('name', '=', name).where('user_uuid', '=', userUuid).executeTakeFirst()
    },
    list(userUuid: string, nowMs: number): Promise<DomainClaimRow[]> {
      return open(nowMs).where('user_uuid', '=', userUuid).orderBy('name').execute()
    },
    listAll(nowMs: number): Promise<DomainClaimRow[]> {
      return open(nowMs).orderBy('name').execute()
    },
    /** Removes exactly this claim; false when it has changed or is gone. */
    async take({ name, user_uuid, token }: DomainClaimRow): Promise<boolean> {
      const result = await db.sql
        .deleteFrom('domain_claims')
        .where('name', '=', name)
        .where('user_uuid', '=', user_uuid)
        .where('token', '=', token)
        .executeTakeFirst()
      return result.numDeletedRows > 0n
    },
    /** Removes every claim of a name; whose they were. */
    async removeAll(name: string): Promise<string[]> {
      const query = db.sql.deleteFrom('domain_claims').where('name', '=', name).returning('user_uuid')
      return (await query.execute()).map((row) => row.user_uuid)
    },
    /** Removes lapsed claims; whose they were. */
    async removeLapsed(nowMs: number): Promise<string[]> {
      const lapsed = db.sql.deleteFrom('domain_claims').where('created_at', '<=', nowMs - CLAIM_LIFE_MS)
      return (await lapsed.returning('user_uuid').execute()).map((row) => row.user_uuid)
    },
    async removeOfUser(userUuid: string): Promise<void> {
      await db.sql.deleteFrom('domain_claims').where('user_uuid', '=', userUuid).execute()
    },
  }
}

export type ClaimStore = ReturnType<typeof createClaimStore>
