import { type Caller, identityOf, type KnownToken } from '../net/caller.ts'
import { AppError } from '../net/errors.ts'
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
  readonly workspaces: {
    lockOf(userUuid: string): Promise<void>
    removeInvitationsBy(userUuid: string): Promise<void>
  }
  readonly webhooks: { disableAll(userUuid: string, reason: string): Promise<void> }
}

/** The only place that defines what a password change and a reset end. Add new kinds of credentials here. */
export const createEndAccess =
  ({ sessions, factors, identities, keys, tokens, workspaces, webhooks }: Credentials): EndAccess =>
  async (userUuid, kept) => {
    // A key or token that a session is creating is either revoked below, or rejected because the session has ended.
    await workspaces.lockOf(userUuid)
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

interface ValidCallersDependencies {
  /** Keys and tokens that are neither revoked nor expired. */
  readonly keys: { findAll(uuids: readonly string[]): Promise<readonly KnownToken[]> }
  readonly tokens: { findAll(uuids: readonly string[]): Promise<readonly KnownToken[]> }
  readonly sessions: { findAll(uuids: readonly string[]): Promise<readonly string[]> }
}

/** Those of the callers whose session, key or token is still valid, by its uuid, with their present scopes. */
export const createValidCallers =
  ({ keys, tokens, sessions }: ValidCallersDependencies) =>
  async (callers: readonly Caller[]): Promise<ReadonlyMap<string, Caller>> => {
    const valid = new Map<string, Caller>()
    const uuidsOf = (kind: Caller['kind']): string[] => [
      ...new Set(callers.flatMap((caller) => (caller.kind === kind ? [caller.uuid] : []))),
    ]
    for (const [kind, grants] of [
      ['key', keys],
      ['token', tokens],
    ] as const)
      for (const grant of await grants.findAll(uuidsOf(kind)))
        valid.set(grant.uuid, { kind, ...identityOf(grant) })
    const present = new Set(await sessions.findAll(uuidsOf('session')))
    for (const caller of callers)
      if (caller.kind === 'session' && present.has(caller.uuid)) valid.set(caller.uuid, caller)
    return valid
  }
