import type { Body } from '@waymark/contract/schemas'
import type { CallingClient } from '../../runtime/caller.ts'
import { AppError } from '../../runtime/errors.ts'
import type { Limits } from '../../runtime/limits/limits.ts'
import type { AccountService, Profile } from '../users/accounts.service.ts'
import { takePasswordTry, takeSignUp } from '../users/password-tries.ts'
import { isPassword } from '../users/passwords.ts'
import type { UserStore } from '../users/users.store.ts'
import type { EmailService } from './email.service.ts'
import type { SessionService } from './sessions.service.ts'

export interface SignInDependencies {
  readonly users: UserStore
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly emails: EmailService
  readonly limits: Limits
  readonly signup: 'open' | 'closed'
  /** Whether an operator has suspended an account. */
  readonly isSuspended: (userUuid: string) => boolean
}

/** A profile and the cookie of the session that has begun. */
export interface SignedIn {
  readonly profile: Profile
  readonly cookie: string
}

export class SignInService {
  readonly #deps: SignInDependencies

  constructor(deps: SignInDependencies) {
    this.#deps = deps
  }

  async signUp(input: Body<'signUp'>, client: CallingClient): Promise<SignedIn> {
    const { accounts, sessions, emails, limits, signup } = this.#deps
    if (signup === 'closed') throw new AppError('signup_closed')
    await takeSignUp(limits, client.address)
    const user = await accounts.create(input)
    await emails.begin(user)
    return { profile: accounts.present(user), cookie: await sessions.begin(user.uuid, client.userAgent) }
  }

  async signIn({ email, password }: Body<'signIn'>, client: CallingClient): Promise<SignedIn> {
    const { users, accounts, sessions, limits } = this.#deps
    await takePasswordTry(limits, email, client.address)
    const user = await users.findByEmail(email)
    if (!(await isPassword(password, user?.password_hash, 'signIn')) || user === undefined)
      throw new AppError('sign_in_failed')
    if (this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    return { profile: accounts.present(user), cookie: await sessions.begin(user.uuid, client.userAgent) }
  }
}
