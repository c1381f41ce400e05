import type { Caller } from '../net/caller.ts'
import type { Database } from '../storage/db/database.ts'

/** The uuids of the keys and sessions among these that can still be used: neither they nor their accounts have ended. */
export async function usableCallers(
  db: Database,
  callers: readonly Pick<Caller, 'kind' | 'uuid'>[],
  nowMs: number,
): Promise<Set<string>> {
  const uuidsOf = (kind: Caller['kind']): string[] =>
    callers.filter((caller) => caller.kind === kind).map(({ uuid }) => uuid)
  const [keys, sessions] = [uuidsOf('key'), uuidsOf('session')]
  const usable = new Set<string>()
  if (keys.length > 0) {
    const rows = await db.sql
      .selectFrom('api_keys')
      .innerJoin('users', 'users.uuid', 'api_keys.user_uuid')
      .select('api_keys.uuid')
      .where('users.removed_at', 'is', null)
      .where('api_keys.revoked_at', 'is', null)
      .where('api_keys.uuid', 'in', keys)
      .execute()
    for (const { uuid } of rows) usable.add(uuid)
  }
  if (sessions.length > 0) {
    const rows = await db.sql
      .selectFrom('sessions')
      .innerJoin('users', 'users.uuid', 'sessions.user_uuid')
      .select('sessions.uuid')
      .where('users.removed_at', 'is', null)
      .where('sessions.expires_at', '>', nowMs)
      .where('sessions.uuid', 'in', sessions)
      .execute()
    for (const { uuid } of rows) usable.add(uuid)
  }
  return usable
}
