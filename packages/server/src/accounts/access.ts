import type { Caller } from '../net/caller.ts'
import type { Database } from '../storage/db/database.ts'

/** What stays usable when a password is set. */
export interface KeptAccess {
  /** The session that changed the password, if one did. */
  readonly session: string | undefined
  /** Whether API keys and webhooks stay as well. */
  readonly keys: boolean
}

/** Ends what gave access to an account before its password was set. Runs in the transaction that sets it. */
export type EndAccess = (userUuid: string, kept: KeptAccess) => Promise<void>

interface Credentials {
  readonly sessions: {
    removeOthers(userUuid: string, keptUuid: string | undefined): Promise<void>
    removeMailedLinks(userUuid: string): Promise<void>
  }
  readonly keys: { removeAll(userUuid: string): Promise<void> }
  readonly webhooks: { disableAll(userUuid: string, reason: string): Promise<void> }
}

/** The one place that says what a password change and a reset end: a new kind of credential is added here. */
export const createEndAccess =
  ({ sessions, keys, webhooks }: Credentials): EndAccess =>
  async (userUuid, kept) => {
    await sessions.removeOthers(userUuid, kept.session)
    // Reset links, and a change of address that waits: someone who knew the old password may have requested them.
    await sessions.removeMailedLinks(userUuid)
    if (kept.keys) return
    await keys.removeAll(userUuid)
    await webhooks.disableAll(userUuid, 'The password of the account was reset')
  }

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
      .innerJoin('workspaces', 'workspaces.uuid', 'api_keys.workspace_uuid')
      .select('api_keys.uuid')
      .where('workspaces.removed_at', 'is', null)
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
