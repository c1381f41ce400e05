import type { Body, Data } from '@waymark/contract/schemas'
import type { Logger } from 'pino'
import type { CallingClient } from '../../runtime/caller.ts'
import type { Background } from '../../runtime/background.ts'
import { addressBucket } from '../../runtime/client-address.ts'
import { AppError } from '../../runtime/errors.ts'
import type { Limits } from '../../runtime/limits/limits.ts'
import type { Mailer } from '../../runtime/mail.ts'
import type { Database } from '../../storage/db/database.ts'
import type { AccountService } from '../users/accounts.service.ts'
import { takeOrReject } from '../../runtime/limits/take-or-reject.ts'
import { hashPassword } from '../users/passwords.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import type { SessionStore } from './sessions.store.ts'
import { hashToken, newToken } from './tokens.ts'
import { HOUR_MS } from '../../runtime/times.ts'

const RESET_LIFE_MS = HOUR_MS
/** Mails per minute that one address may request, and that one account gets. */
const MAIL_LIMIT = 20
const MAIL_LIMIT_OF_ACCOUNT = 5

export interface RecoveryDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly accounts: AccountService
  readonly store: SessionStore
  readonly limits: Limits
  readonly mailer: Mailer
  readonly mails: Background
  readonly dashboardUrl: string
  readonly log: Logger
  /** Revokes every key and switches off every webhook of an account. */
  readonly revokeAccess: (userUuid: string) => Promise<void>
  readonly now: () => number
}

/** Sets a new password for an owner who lost the old one, and takes access from everyone else. */
export class RecoveryService {
  readonly #deps: RecoveryDependencies

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps
  }

  /** Responds the same, in the same time, whether there is such an account or not. */
  async forgotPassword(email: string, client: CallingClient): Promise<void> {
    const { limits, mailer, mails, log } = this.#deps
    await takeOrReject(limits, `forgot:${addressBucket(client.address)}`, MAIL_LIMIT)
    if (mailer.enabled) mails.start(() => this.#mailReset(email))
    else
      log.warn('a password reset was requested; SMTP_URL is not set: use "waymark user reset-link --email"')
  }

  /** A link that sets a new password, for an operator to hand over. */
  async createResetLink(user: UserRow): Promise<{ url: string; expiresAtMs: number }> {
    const { db, store, dashboardUrl, now } = this.#deps
    const token = newToken()
    const expiresAtMs = now() + RESET_LIFE_MS
    await db.write(() => store.insertReset(hashToken(token), user.uuid, expiresAtMs))
    return { url: `${dashboardUrl}/reset-password?token=${token}`, expiresAtMs }
  }

  /** What the form may offer to the owner of this token. */
  async checkReset(token: string): Promise<Data<'checkReset'>> {
    const user = await this.#ownerOf(token)
    return { can_keep_keys: user.confirmed_at !== null }
  }

  /** The token is looked up before the password is hashed, so that a wrong token costs nothing. */
  async resetPassword({ token, password, keep_keys }: Body<'resetPassword'>): Promise<void> {
    const { db, store, accounts, users, mailer, revokeAccess, now } = this.#deps
    await this.#ownerOf(token)
    const passwordHash = await hashPassword(password)
    const user = await db.write(async () => {
      const userUuid = await store.takeReset(hashToken(token), now())
      const owner = userUuid === undefined ? undefined : await users.find(userUuid)
      if (owner === undefined) throw new AppError('token_invalid')
      await store.removeResets(owner.uuid)
      await accounts.setPassword(owner.uuid, passwordHash, undefined)
      // Someone else may have signed up with this address: their keys and webhooks must not outlive the reset.
      if (keep_keys !== true || owner.confirmed_at === null) await revokeAccess(owner.uuid)
      // The token came by mail, so the mail arrived.
      if (owner.confirmed_at === null && mailer.enabled) await users.confirm(owner.uuid, owner.email, now())
      return owner
    })
    this.#notify(user)
  }

  #notify({ email }: UserRow): void {
    const { mailer, mails } = this.#deps
    mails.start(() =>
      mailer.send({
        to: email,
        subject: 'Your Waymark password was changed',
        text: 'The password of your Waymark account was reset, and all sessions were ended.\n\nIf this was not you, ask the operator of this instance for help.\n',
      }),
    )
  }

  async #ownerOf(token: string): Promise<UserRow> {
    const { store, users, now } = this.#deps
    const userUuid = await store.findReset(hashToken(token), now())
    const user = userUuid === undefined ? undefined : await users.find(userUuid)
    if (user === undefined) throw new AppError('token_invalid')
    return user
  }

  async #mailReset(email: string): Promise<void> {
    const { users, mailer, limits } = this.#deps
    const user = await users.findByEmail(email)
    if (user === undefined || !(await limits.take(`forgot:${user.uuid}`, MAIL_LIMIT_OF_ACCOUNT)).allowed)
      return
    const { url } = await this.createResetLink(user)
    await mailer.send({
      to: user.email,
      subject: 'Set a new password for Waymark',
      text: `A new password was requested for your Waymark account.\n\nSet it here within one hour:\n${url}\n\nIf you did not request this, ignore this mail: nothing has changed.\n`,
    })
  }
}
