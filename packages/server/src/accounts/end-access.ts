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
