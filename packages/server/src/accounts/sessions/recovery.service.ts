import type { Body, Data } from '@waymark/contract/schemas'
import type { Logger } from 'pino'
import type { CallingClient } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import { HOUR_MS } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import type { FactorService } from '../factors/factors.service.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import type { AccountService } from '../users/accounts.service.ts'
import { hashPassword } from '../users/passwords.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import { hashToken, newToken, type SessionStore } from './sessions.store.ts'

const RESET_LIFE_MS = HOUR_MS

export interface RecoveryDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly accounts: AccountService
  readonly store: SessionStore
  readonly factors: Pick<FactorService, 'createLink'>
  readonly mail: AccountMail
  readonly browsers: KnownBrowsers
  readonly dashboardUrl: string
  /** Whether users can sign in with a password; otherwise no reset is mailed. */
  readonly passwordSignIn: boolean
  /** Adds an entry to the audit log of each workspace of a user, because a reset ends keys and webhooks there. */
  readonly recordReset: (userUuid: string) => Promise<void>
  readonly log: Logger
  readonly now: () => number
}

/** Password resets: sets a new password for the owner, and ends the access of everyone else. */
export class RecoveryService {
  readonly #deps: RecoveryDependencies

  constructor(deps: RecoveryDependencies) {
    this.#deps = deps
  }

  /** Has the same response and duration whether the account exists or not. */
  async forgotPassword(email: string, client: CallingClient): Promise<void> {
    const { mail, log, passwordSignIn } = this.#deps
    if (!passwordSignIn) throw new AppError('password_sign_in_off')
    await mail.takeSender(client)
    if (mail.enabled) mail.later(() => this.#mailReset(email, client.acceptLanguage))
    else
      log.warn('a password reset was requested; SMTP_URL is not set: use "waymark user reset-link --email"')
  }

  /** A link that sets a new password, for an operator to pass on. */
  async createResetLink(user: UserRow): Promise<{ url: string; expiresAtMs: number }> {
    const { db, store, dashboardUrl, now } = this.#deps
    const token = newToken()
    const expiresAtMs = now() + RESET_LIFE_MS
    await db.write(() => store.insertReset(hashToken(token), user.uuid, expiresAtMs))
    return { url: `${dashboardUrl}/reset-password?token=${token}`, expiresAtMs }
  }

  /** A link that signs a user in once, for an operator to pass on. A second factor is still required. */
  async createSignInLink(userUuid: string): Promise<{ url: string; expiresAtMs: number }> {
    const { factors, dashboardUrl } = this.#deps
    const { token, expiresAtMs } = await factors.createLink(userUuid)
    return { url: `${dashboardUrl}/sign-in-link?token=${token}`, expiresAtMs }
  }

  /** The options of the form for the owner of this token. */
  async checkReset(token: string): Promise<Data<'checkReset'>> {
    const user = await this.#ownerOf(token)
    return { can_keep_keys: user.confirmed_at !== null }
  }

  /** Looks the token up before hashing the password, so that a wrong token costs nothing. */
  async resetPassword(
    { token, password, keep_keys }: Body<'resetPassword'>,
    browserToken?: string,
  ): Promise<{ cookie: string }> {
    const { db, store, accounts, users, mail, browsers, recordReset, now } = this.#deps
    await this.#ownerOf(token)
    const passwordHash = await hashPassword(password)
    const user = await db.write(async () => {
      const userUuid = await store.takeReset(hashToken(token), now())
      const owner = userUuid === undefined ? undefined : await users.find(userUuid)
      if (owner === undefined) throw new AppError('token_invalid')
      // Someone else may have signed up with this address: their keys and webhooks must not survive the reset.
      const keptKeys = keep_keys === true && owner.confirmed_at !== null
      await accounts.setPassword(owner.uuid, passwordHash, { session: undefined, keys: keptKeys }, 'reset')
      await recordReset(owner.uuid)
      // The token was mailed, so the address is confirmed.
      if (owner.confirmed_at === null && mail.enabled) await users.confirm(owner.uuid, owner.email, now())
      return owner
    })
    // The owner can sign in with this browser even while others guess at the account.
    return { cookie: browsers.cookie({ ...user, password_hash: passwordHash }, browserToken) }
  }

  async #ownerOf(token: string): Promise<UserRow> {
    const { store, users, now } = this.#deps
    const userUuid = await store.findReset(hashToken(token), now())
    const user = userUuid === undefined ? undefined : await users.find(userUuid)
    if (user === undefined) throw new AppError('token_invalid')
    return user
  }

  async #mailReset(email: string, acceptLanguage: string | undefined): Promise<void> {
    const { users, mail } = this.#deps
    const user = await users.findByEmail(email)
    if (user === undefined || !(await mail.mayReceive('reset', user.email))) return
    const { url } = await this.createResetLink(user)
    await mail.sendReset(user.email, url, acceptLanguage)
  }
}
