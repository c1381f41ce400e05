import type { Caller } from '../net/caller.ts'
import { AppError } from '../net/errors.ts'
import type { Database } from '../storage/db/database.ts'
import type { PasskeyRow } from '../storage/db/tables.ts'
import { hasPassword } from './users/passwords.ts'
import type { UserRow } from './users/users.store.ts'

/** What remains valid when a password is set. */
export interface RetainedAccess {
  /** The session that changed the password, if any. */
  readonly session: string | undefined
  /** Whether API keys and webhooks stay as well. */
  readonly keys: boolean
}

/** Ends existing access to an account when its password is set. Runs in the same transaction. */
export type EndAccess = (userUuid: string, kept: RetainedAccess) => Promise<void>

interface Credentials {
  readonly sessions: {
    removeOthers(userUuid: string, keptUuid: string | undefined): Promise<void>
    removeMailedLinks(userUuid: string): Promise<void>
  }
  readonly factors: { removeChallenges(userUuid: string): Promise<void> }
  readonly identities: { removeAll(userUuid: string): Promise<void> }
  readonly keys: { removeAll(userUuid: string): Promise<void> }
  readonly tokens: { removeAll(userUuid: string): Promise<void> }
  readonly workspaces: { removeInvitationsBy(userUuid: string): Promise<void> }
  readonly webhooks: { disableAll(userUuid: string, reason: string): Promise<void> }
}

/** The only place that defines what a password change and a reset end. Add new kinds of credentials here. */
export const createEndAccess =
  ({ sessions, factors, identities, keys, tokens, workspaces, webhooks }: Credentials): EndAccess =>
  async (userUuid, kept) => {
    await sessions.removeOthers(userUuid, kept.session)
    // Someone who knew the old password may have requested reset links and a change of address.
    await sessions.removeMailedLinks(userUuid)
    await factors.removeChallenges(userUuid)
    if (kept.keys) return
    await identities.removeAll(userUuid)
    await keys.removeAll(userUuid)
    await tokens.removeAll(userUuid)
    // Someone who knew the old password may have the links.
    await workspaces.removeInvitationsBy(userUuid)
    await webhooks.disableAll(userUuid, 'The password of the account was reset')
  }

interface WaysIn {
  readonly users: { find(userUuid: string): Promise<UserRow | undefined> }
  readonly passkeys: { usable(userUuid: string): Promise<PasskeyRow[]> }
  readonly identities: { isLinked(userUuid: string): Promise<boolean> }
  /** Whether users can sign in with a password. */
  readonly passwordSignIn: boolean
}

/** Rejects a deletion after which the user could not sign in. Runs in its transaction, which has locked the user. */
export type RequireWayIn = (userUuid: string) => Promise<void>

export const createRequireWayIn =
  ({ users, passkeys, identities, passwordSignIn }: WaysIn): RequireWayIn =>
  async (userUuid) => {
    const user = await users.find(userUuid)
    if (passwordSignIn && user !== undefined && hasPassword(user)) return
    if ((await passkeys.usable(userUuid)).length > 0) return
    if (!(await identities.isLinked(userUuid))) throw new AppError('last_way_in')
  }

/**
 * Those of the callers that are still valid: the key, token or session has not ended, nor has the membership of its user in
 * the workspace. The same session can be there for several workspaces.
 */
export async function usableCallers<C extends Pick<Caller, 'kind' | 'uuid' | 'userUuid' | 'workspaceUuid'>>(
  db: Database,
  callers: readonly C[],
  nowMs: number,
): Promise<Set<C>> {
  const uuidsOf = (kind: Caller['kind']): string[] =>
    callers.filter((caller) => caller.kind === kind).map(({ uuid }) => uuid)
  const [keys, tokens, sessions] = [uuidsOf('key'), uuidsOf('token'), uuidsOf('session')]
  const valid = new Set<string>()
  const byOperator = new Set<string>()
  for (const [table, uuids] of [
    ['api_keys', keys],
    ['tokens', tokens],
  ] as const) {
    if (uuids.length === 0) continue
    const rows = await db.sql
      .selectFrom(table)
      .select(['uuid', 'by_operator'])
      .where('revoked_at', 'is', null)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', nowMs)]))
      .where('uuid', 'in', uuids)
      .execute()
    for (const { uuid, by_operator } of rows) (by_operator === 1 ? byOperator : valid).add(uuid)
  }
  if (sessions.length > 0) {
    const rows = await db.sql
      .selectFrom('sessions')
      .select('uuid')
      .where('expires_at', '>', nowMs)
      .where('uuid', 'in', sessions)
      .execute()
    for (const { uuid } of rows) valid.add(uuid)
  }
  const users = [...new Set(callers.map(({ userUuid }) => userUuid))]
  const members =
    users.length === 0
      ? []
      : await db.sql
          .selectFrom('members')
          .innerJoin('users', 'users.uuid', 'members.user_uuid')
          .innerJoin('workspaces', 'workspaces.uuid', 'members.workspace_uuid')
          .select(['members.user_uuid', 'members.workspace_uuid'])
          .where('users.removed_at', 'is', null)
          .where('workspaces.removed_at', 'is', null)
          .where('members.user_uuid', 'in', users)
          .execute()
  const memberships = new Set(members.map((row) => `${row.user_uuid} ${row.workspace_uuid}`))
  return new Set(
    callers.filter(
      ({ uuid, userUuid, workspaceUuid }) =>
        byOperator.has(uuid) || (valid.has(uuid) && memberships.has(`${userUuid} ${workspaceUuid}`)),
    ),
  )
}
