import { createHash, randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Body } from '@waymark/contract/schemas'
import { Background } from '../../runtime/background.ts'
import type { Database } from '../../storage/db/database.ts'
import { AppError } from '../../runtime/errors.ts'
import { addressBucket } from '../../runtime/client-address.ts'
import type { RateLimits } from '../../api/rate-meter.ts'
import type { RequestFacts } from '../../api/routes.ts'
import type { Mailer } from '../../runtime/mail.ts'
import type { AccountService, Profile } from '../accounts/accounts.service.ts'
import { hashPassword, isPassword } from '../accounts/passwords.ts'
import type { UserStore } from '../accounts/users.store.ts'
import type { SessionService } from './sessions.service.ts'
import type { SessionStore } from './sessions.store.ts'

const RESET_LIFE_MS = 60 * 60 * 1000
/** Tries per minute of one address at one account: past that it is refused. */
const PAIR_LIMIT = 30
/** Tries per minute at one account, from wherever: past that everybody waits, and the owner still gets in. */
const ACCOUNT_LIMIT = 60
const SLOWED_MS = 2_000
/** Mails per minute that one address may ask for, and that one account gets. */
const MAIL_LIMIT = 20
const MAIL_LIMIT_OF_ACCOUNT = 5
const MAIL_CLOSE_MS = 2_000

export interface SignInDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly store: SessionStore
  readonly limits: RateLimits
  readonly mailer: Mailer
  readonly signup: 'open' | 'closed'
  readonly dashboardUrl: string
  readonly reportError: (error: unknown) => void
  readonly now: () => number
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** A profile and the cookie of the session that has begun. */
export interface SignedIn {
  readonly profile: Profile
  readonly cookie: string
}

export class SignInService {
  readonly #deps: SignInDependencies
  readonly #mails: Background

  constructor(deps: SignInDependencies) {
    this.#deps = deps
    this.#mails = new Background(deps.reportError)
  }

  async signUp(input: Body<'signUp'>, request: RequestFacts): Promise<SignedIn> {
    const { accounts, sessions, signup } = this.#deps
    if (signup === 'closed') throw new AppError('signup_closed')
    const user = await accounts.create(input)
    return { profile: accounts.present(user), cookie: await sessions.begin(user.uuid, request.userAgent) }
  }

  async signIn({ email, password }: Body<'signIn'>, request: RequestFacts): Promise<SignedIn> {
    const { users, accounts, sessions, limits } = this.#deps
    await this.#take(`sign-in:${addressBucket(request.address)}:${email}`, PAIR_LIMIT)
    const everywhere = await limits.take(`sign-in:${email}`, ACCOUNT_LIMIT)
    if (!everywhere.allowed) await sleep(SLOWED_MS)
    const user = await users.findByEmail(email)
    if (!(await isPassword(password, user?.password_hash, 'signIn')) || user === undefined)
      throw new AppError('sign_in_failed')
    return { profile: accounts.present(user), cookie: await sessions.begin(user.uuid, request.userAgent) }
  }

  /** Says the same, in the same time, whether there is such an account or not. */
  async forgotPassword(email: string, request: RequestFacts): Promise<null> {
    await this.#take(`forgot:${addressBucket(request.address)}`, MAIL_LIMIT)
    this.#mails.start(() => this.#mailReset(email))
    return null
  }

  /** Waits for mails in progress, but not for a mail server that hangs. */
  close(): Promise<void> {
    return this.#mails.close(MAIL_CLOSE_MS)
  }

  async #mailReset(email: string): Promise<void> {
    const { db, users, store, mailer, dashboardUrl, limits, now } = this.#deps
    const user = await users.findByEmail(email)
    if (user === undefined || !(await limits.take(`forgot:${user.uuid}`, MAIL_LIMIT_OF_ACCOUNT)).allowed)
      return
    const token = randomBytes(32).toString('base64url')
    await db.write(() => store.insertReset(hashOf(token), user.uuid, now() + RESET_LIFE_MS))
    await mailer.send({
      to: user.email,
      subject: 'Set a new password for Waymark',
      text: `Somebody, probably you, asked for a new password.\n\nSet it here within one hour:\n${dashboardUrl}/reset-password?token=${token}\n\nIf it was not you, nothing has changed and you need not do anything.\n`,
    })
  }

  /**
   * Hashing is slow on purpose, so it is done before the transaction that uses the token up, and only for a token that
   * exists.
   */
  async resetPassword({ token, password }: Body<'resetPassword'>): Promise<null> {
    const { db, store, accounts, now } = this.#deps
    if (!(await store.hasReset(hashOf(token), now()))) throw new AppError('token_invalid')
    const passwordHash = await hashPassword(password)
    await db.write(async () => {
      const userUuid = await store.takeReset(hashOf(token), now())
      if (userUuid === undefined) throw new AppError('token_invalid')
      await store.removeResets(userUuid)
      await accounts.setPassword(userUuid, passwordHash, undefined)
    })
    return null
  }

  async #take(bucket: string, limit: number): Promise<void> {
    const { allowed, resetMs } = await this.#deps.limits.take(bucket, limit)
    if (allowed) return
    const seconds = Math.max(1, Math.ceil(resetMs / 1000))
    throw new AppError('rate_limited', { headers: { 'retry-after': String(seconds) } })
  }
}
