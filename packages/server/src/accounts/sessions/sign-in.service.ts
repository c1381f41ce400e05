import type { Body, Data } from '@waymark/contract/schemas'
import type { CallingClient } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { FactorService } from '../factors/factors.service.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import type { AccountService, Profile } from '../users/accounts.service.ts'
import { isPassword, takePasswordTry, takeSignUp } from '../users/passwords.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import type { EmailService } from './email.service.ts'
import type { SessionService } from './sessions.service.ts'

export interface SignInDependencies {
  readonly users: UserStore
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly factors: FactorService
  readonly emails: EmailService
  readonly browsers: KnownBrowsers
  readonly limits: Limits
  readonly signup: 'open' | 'closed'
  /** Whether a token is that of an open invitation, which permits signing up. */
  readonly isInvitation: (token: string) => Promise<boolean>
  /** Whether an operator has suspended an account. */
  readonly isSuspended: (userUuid: string) => boolean
}

/** A profile and the cookies of the session that has begun and of the browser, which is known from now on. */
export interface SignedIn {
  readonly profile: Profile
  readonly cookies: readonly string[]
}

type SecondFactorStep = Extract<Data<'signIn'>, { challenge: string }>

export class SignInService {
  readonly #deps: SignInDependencies

  constructor(deps: SignInDependencies) {
    this.#deps = deps
  }

  async signUp(input: Body<'signUp'>, client: CallingClient): Promise<SignedIn> {
    const { accounts, emails, limits, signup, isInvitation } = this.#deps
    const invitation = input.invitation ?? undefined
    if (signup === 'closed' && (invitation === undefined || !(await isInvitation(invitation))))
      throw new AppError('signup_closed')
    await takeSignUp(limits, client.address)
    await emails.admitSignUp(input.email, client)
    const user = await accounts.create(input)
    await emails.begin(user)
    return this.#begin(user, client)
  }

  async signIn(
    { email, password }: Body<'signIn'>,
    client: CallingClient,
  ): Promise<SignedIn | SecondFactorStep> {
    const { users, browsers, factors } = this.#deps
    const user = await users.findByEmail(email)
    const known = user && browsers.find(user, client.browserToken)
    const giveBack = await this.#takeTry(email, client, known)
    if (!(await isPassword(password, user?.password_hash, 'signIn')) || user === undefined)
      throw new AppError('sign_in_failed')
    if (this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    await giveBack()
    const second_factor = await factors.methodsOf(user.uuid)
    if (second_factor.length === 0) return this.#begin(user, client, known)
    return { second_factor, challenge: await factors.beginChallenge(user.uuid) }
  }

  /** The second step of a sign-in. Wrong codes count as wrong passwords do. */
  async verifySecondFactor(
    { challenge, code }: Body<'verifySecondFactor'>,
    client: CallingClient,
  ): Promise<SignedIn> {
    const { users, browsers, factors } = this.#deps
    const userUuid = await factors.findChallenge(challenge)
    const user = userUuid === undefined ? undefined : await users.find(userUuid)
    if (user === undefined) throw new AppError('challenge_invalid')
    const known = browsers.find(user, client.browserToken)
    const giveBack = await this.#takeTry(user.email, client, known)
    if (this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    await factors.completeChallenge(challenge, user.uuid, code)
    await giveBack()
    return this.#begin(user, client, known)
  }

  #takeTry(account: string, { address }: CallingClient, known: string | undefined) {
    return takePasswordTry(this.#deps.limits, known === undefined ? { account, address } : { known })
  }

  async #begin(user: UserRow, { userAgent }: CallingClient, known?: string): Promise<SignedIn> {
    const { accounts, sessions, browsers } = this.#deps
    const cookies = [await sessions.begin(user.uuid, userAgent), browsers.cookie(user, known)]
    return { profile: accounts.present(user), cookies }
  }
}
