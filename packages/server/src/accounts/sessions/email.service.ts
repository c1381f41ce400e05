import type { Data } from '@waymark/contract/schemas'
import type { CallingClient } from '../../net/caller.ts'
import { AppError, fieldError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import { hashToken, newToken, type SessionStore } from './sessions.store.ts'

const CONFIRMATION_LIFE_MS = DAY_MS

export interface EmailDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly store: SessionStore
  readonly mail: AccountMail
  readonly now: () => number
}

const emailTaken = (): AppError => fieldError('email', 'This email is taken', 'email_taken')

/** An unconfirmed address, and the token that cancels the change to it. */
export interface Unconfirmed {
  readonly user: UserRow
  readonly email: string
  readonly cancelHash: string | undefined
}

/** Confirms and changes email addresses. Without `SMTP_URL` every address counts as confirmed. */
export class EmailService {
  readonly #deps: EmailDependencies

  constructor(deps: EmailDependencies) {
    this.#deps = deps
  }

  async status(userUuid: string): Promise<Data<'emailStatus'>> {
    const user = await this.#find(userUuid)
    const pending = await this.#deps.store.findConfirmation(userUuid, this.#deps.now())
    return {
      email: user.email,
      confirmed: user.confirmed_at !== null || !this.#deps.mail.enabled,
      pending_email: pending === undefined || pending.email === user.email ? null : pending.email,
    }
  }

  /** Checks the mail limits of a sign-up, before the account is created. */
  async admitSignUp(email: string, client: CallingClient): Promise<void> {
    const { users, mail } = this.#deps
    // A taken address gets no mail.
    if (!mail.enabled || (await users.findByEmail(email)) !== undefined) return
    await mail.takeSender(client)
    await mail.takeRecipient('confirmation', email)
  }

  /** Sends the first confirmation mail of a new account. */
  async begin(user: UserRow): Promise<void> {
    if (this.#deps.mail.enabled && user.confirmed_at === null)
      await this.#requestConfirmation(user, user.email)
  }

  /** The unconfirmed address, if its limit allows another mail. */
  async admitResend(userUuid: string): Promise<Unconfirmed> {
    const { mail, store, now } = this.#deps
    const user = await this.#find(userUuid)
    const pending = await store.findConfirmation(userUuid, now())
    const email = pending?.email ?? user.email
    if (user.confirmed_at !== null && email === user.email) throw new AppError('email_confirmed')
    await mail.takeSender({ userUuid })
    await mail.takeRecipient('confirmation', email)
    return { user, email, cancelHash: pending?.cancel_hash ?? undefined }
  }

  resend({ user, email, cancelHash }: Unconfirmed): Promise<void> {
    return this.#requestConfirmation(user, email, cancelHash)
  }

  async confirm(token: string): Promise<void> {
    const { db, users, store, mail, now } = this.#deps
    await db.write(async () => {
      const taken = await store.takeConfirmation(hashToken(token), now())
      const before = taken && (await users.find(taken.user_uuid))
      if (taken === undefined || before === undefined) throw new AppError('token_invalid')
      if (!(await users.confirm(taken.user_uuid, taken.email, now()))) throw new AppError('email_taken')
      await store.removeConfirmations(taken.user_uuid)
      if (before.email === taken.email) return
      // Reset links went to the old address.
      await store.removeResets(taken.user_uuid)
      db.afterCommit(() =>
        mail.notify(
          { userUuid: before.uuid, email: before.email },
          { kind: 'email_changed', to: taken.email },
        ),
      )
    })
  }

  /** Checks whether the address may be changed to this one; the caller has checked the password. */
  async admitChange(userUuid: string, email: string, client: CallingClient): Promise<void> {
    const { users, mail } = this.#deps
    const user = await this.#find(userUuid)
    if (email === user.email) return
    if ((await users.findByEmail(email)) !== undefined) throw emailTaken()
    if (!mail.enabled) return
    await mail.takeSender(client)
    await mail.takeSender({ userUuid })
    // Every change is announced to the current address, so its mail limit also limits changes.
    if (user.confirmed_at !== null) await mail.takeRecipient('email_change', user.email)
    await mail.takeRecipient('confirmation', email)
  }

  /** An unconfirmed address is changed immediately; a confirmed one stays until the new one is confirmed. */
  async change(userUuid: string, email: string): Promise<Data<'emailStatus'>> {
    const { db, users, store, mail, now } = this.#deps
    const user = await this.#find(userUuid)
    if (email === user.email) return this.status(userUuid)
    if (mail.enabled && user.confirmed_at !== null) {
      await this.#requestConfirmation(user, email)
      return this.status(userUuid)
    }
    await db.write(async () => {
      if (!(await users.changeEmail(userUuid, email, now()))) throw emailTaken()
      await store.removeResets(userUuid)
    })
    if (mail.enabled) await this.#requestConfirmation({ ...user, email }, email)
    return this.status(userUuid)
  }

  /** Cancels a pending change, with the token that was sent to the current address. */
  async cancelChange(token: string): Promise<void> {
    const { db, store, now } = this.#deps
    const cancelled = await db.write(() => store.cancelConfirmation(hashToken(token), now()))
    if (!cancelled) throw new AppError('token_invalid')
  }

  /**
   * Only the newest token is valid. The current address gets a link that cancels a change to another one; sending the mail
   * again does not change that link.
   */
  async #requestConfirmation(user: UserRow, email: string, knownCancelHash?: string): Promise<void> {
    const { db, store, mail, now } = this.#deps
    const [token, cancelToken] = [newToken(), newToken()]
    const isChange = email !== user.email
    const row = {
      token_hash: hashToken(token),
      user_uuid: user.uuid,
      email,
      cancel_hash: knownCancelHash ?? (isChange ? hashToken(cancelToken) : null),
      expires_at: now() + CONFIRMATION_LIFE_MS,
    }
    await db.write(async () => {
      await store.removeConfirmations(user.uuid)
      await store.insertConfirmation(row)
      db.afterCommit(() => {
        mail.sendConfirmation(email, token)
        if (isChange && knownCancelHash === undefined) mail.sendCancellation(user.email, email, cancelToken)
      })
    })
  }

  async #find(userUuid: string): Promise<UserRow> {
    const user = await this.#deps.users.find(userUuid)
    if (user === undefined) throw new AppError('session_missing')
    return user
  }
}
