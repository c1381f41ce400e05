import type { Data } from '@waymark/contract/schemas'
import type { Background } from '../../runtime/background.ts'
import { AppError, fieldError } from '../../runtime/errors.ts'
import type { Limits } from '../../runtime/limits/limits.ts'
import type { Mailer } from '../../runtime/mail.ts'
import type { Database } from '../../storage/db/database.ts'
import { takeOrReject } from '../../runtime/limits/take-or-reject.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import type { SessionStore } from './sessions.store.ts'
import { hashToken, newToken } from './tokens.ts'
import { DAY_MS } from '../../runtime/times.ts'

const CONFIRMATION_LIFE_MS = DAY_MS
/** Confirmation mails per minute that one account may request. */
const MAIL_LIMIT = 5

export interface EmailDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly store: SessionStore
  readonly limits: Limits
  readonly mailer: Mailer
  readonly mails: Background
  readonly dashboardUrl: string
  readonly now: () => number
}

/** Confirms email addresses and changes them. Without `SMTP_URL` every address counts as confirmed. */
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
      confirmed: user.confirmed_at !== null || !this.#deps.mailer.enabled,
      pending_email: pending === undefined || pending.email === user.email ? null : pending.email,
    }
  }

  /** Sends the first confirmation mail of a new account. */
  async begin(user: UserRow): Promise<void> {
    if (this.#deps.mailer.enabled && user.confirmed_at === null) await this.#mail(user, user.email)
  }

  async resend(userUuid: string): Promise<void> {
    const { limits, store, now } = this.#deps
    const user = await this.#find(userUuid)
    const pending = await store.findConfirmation(userUuid, now())
    const email = pending?.email ?? user.email
    if (user.confirmed_at !== null && email === user.email) throw new AppError('email_confirmed')
    await takeOrReject(limits, `confirm:${userUuid}`, MAIL_LIMIT)
    await this.#mail(user, email)
  }

  async confirm(token: string): Promise<void> {
    const { db, users, store, now } = this.#deps
    await db.write(async () => {
      const taken = await store.takeConfirmation(hashToken(token), now())
      if (taken === undefined) throw new AppError('token_invalid')
      if (!(await users.confirm(taken.user_uuid, taken.email, now()))) throw new AppError('email_taken')
      await store.removeConfirmations(taken.user_uuid)
    })
  }

  /** An unconfirmed address is corrected at once; a confirmed one stays until the new one is confirmed. */
  async change(userUuid: string, email: string): Promise<Data<'emailStatus'>> {
    const { db, users, limits, mailer, now } = this.#deps
    const user = await this.#find(userUuid)
    if (email === user.email) return this.status(userUuid)
    await takeOrReject(limits, `confirm:${userUuid}`, MAIL_LIMIT)
    if ((await users.findByEmail(email)) !== undefined)
      throw fieldError('email', 'This email is taken', 'email_taken')
    if (mailer.enabled && user.confirmed_at !== null) {
      await this.#mail(user, email)
      this.#notify(user, email)
      return this.status(userUuid)
    }
    await db.write(() => users.update(userUuid, { email, updated_at: now() }))
    if (mailer.enabled) await this.#mail(user, email)
    return this.status(userUuid)
  }

  #notify({ email: to }: UserRow, email: string): void {
    const { mailer, mails } = this.#deps
    mails.start(() =>
      mailer.send({
        to,
        subject: 'The email address of your Waymark account is about to change',
        text: `Your Waymark account will use ${email} once that address is confirmed.\n\nIf this was not you, sign in and change your password now.\n`,
      }),
    )
  }

  /** Only the newest token is valid. */
  async #mail({ uuid }: UserRow, email: string): Promise<void> {
    const { db, store, mailer, mails, dashboardUrl, now } = this.#deps
    const token = newToken()
    const row = {
      token_hash: hashToken(token),
      user_uuid: uuid,
      email,
      expires_at: now() + CONFIRMATION_LIFE_MS,
    }
    await db.write(async () => {
      await store.removeConfirmations(uuid)
      await store.insertConfirmation(row)
    })
    mails.start(() =>
      mailer.send({
        to: email,
        subject: 'Confirm your email address for Waymark',
        text: `Confirm this email address within 24 hours:\n${dashboardUrl}/confirm-email?token=${token}\n\nIf you did not sign up for Waymark, ignore this mail.\n`,
      }),
    )
  }

  async #find(userUuid: string): Promise<UserRow> {
    const user = await this.#deps.users.find(userUuid)
    if (user === undefined) throw new AppError('session_missing')
    return user
  }
}
