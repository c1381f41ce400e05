import type { Body } from '@waymark/contract/schemas'
import type { CallingClient } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
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

  async signIn({ email, password }: Body<'signIn'>, client: CallingClient): Promise<SignedIn> {
    const { users, browsers, limits } = this.#deps
    const user = await users.findByEmail(email)
    const known = user && browsers.find(user, client.browserToken)
    const giveBack = await takePasswordTry(
      limits,
      known === undefined ? { account: email, address: client.address } : { known },
    )
    if (!(await isPassword(password, user?.password_hash, 'signIn')) || user === undefined)
      throw new AppError('sign_in_failed')
    if (this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    await giveBack()
    return this.#begin(user, client, known)
  }

  async #begin(user: UserRow, { userAgent }: CallingClient, known?: string): Promise<SignedIn> {
    const { accounts, sessions, browsers } = this.#deps
    const cookies = [await sessions.begin(user.uuid, userAgent), browsers.cookie(user, known)]
    return { profile: accounts.present(user), cookies }
  }
}
