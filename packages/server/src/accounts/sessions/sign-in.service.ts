import type { Body, Data } from '@waymark/contract/schemas'
import type { CallingClient } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { Database } from '../../storage/db/database.ts'
import { type FactorService, isRecoveryCode } from '../factors/factors.service.ts'
import { isoTime } from '../../work/times.ts'
import type { AccountMail } from '../account-mail.ts'
import type { PasskeyService } from '../factors/passkeys.service.ts'
import type { IdentityService, OidcResponse } from '../oidc/identities.service.ts'
import type { KnownBrowsers } from '../known-browsers.ts'
import type { SecurityEvents } from '../security-events.ts'
import type { AccountService, Profile } from '../users/accounts.service.ts'
import { isPassword, takePasswordTry, takeSignUp } from '../users/passwords.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import type { EmailService } from './email.service.ts'
import type { SessionService } from './sessions.service.ts'

export interface SignInDependencies {
  readonly db: Database
  readonly users: UserStore
  readonly accounts: AccountService
  readonly sessions: SessionService
  readonly factors: FactorService
  readonly passkeys: PasskeyService
  readonly emails: EmailService
  readonly browsers: KnownBrowsers
  readonly mail: AccountMail
  readonly events: SecurityEvents
  readonly limits: Limits
  readonly identities: IdentityService
  readonly signup: 'open' | 'closed'
  /** Whether users can sign in and up with a password. */
  readonly passwordSignIn: boolean
  /** Whether a token belongs to an open invitation, which permits signing up. */
  readonly isInvitation: (token: string) => Promise<boolean>
  /** Makes a new user a member, in the transaction that creates the user; false if the invitation was used meanwhile. */
  readonly joinInvited: (userUuid: string, token: string) => Promise<boolean>
  readonly now: () => number
  /** Whether an operator has suspended the first workspace of a user. */
  readonly isSuspended: (userUuid: string) => Promise<boolean>
}

/** A profile, and the cookies of the new session and of the browser, which is now known. */
export interface SignedIn {
  readonly profile: Profile
  readonly cookies: readonly string[]
}

/** The first and second step of a sign-in. */
type FirstStep = 'sign_up' | 'password' | 'passkey' | 'oidc' | 'link'
type SecondStep = 'totp' | 'recovery' | 'passkey'
type Method = FirstStep | `${string}+${SecondStep}`

type SecondFactorStep = Extract<Data<'signIn'>, { challenge: string }>

export class SignInService {
  readonly #deps: SignInDependencies

  constructor(deps: SignInDependencies) {
    this.#deps = deps
  }

  async signUp(input: Body<'signUp'>, client: CallingClient): Promise<SignedIn> {
    const { accounts, emails, limits, signup, isInvitation, joinInvited } = this.#deps
    this.#requirePasswordSignIn()
    const invitation = input.invitation || undefined
    const rejected = (): AppError =>
      new AppError(signup === 'closed' ? 'signup_closed' : 'invitation_invalid')
    if (invitation === undefined ? signup === 'closed' : !(await isInvitation(invitation))) throw rejected()
    await takeSignUp(limits, client.address)
    await emails.admitSignUp(input.email, client)
    const user = await accounts.create(input, undefined, async ({ uuid }) => {
      if (invitation !== undefined && !(await joinInvited(uuid, invitation))) throw rejected()
    })
    await emails.begin(user)
    return this.#begin(user, client, 'sign_up')
  }

  async signIn(
    { email, password }: Body<'signIn'>,
    client: CallingClient,
  ): Promise<SignedIn | SecondFactorStep> {
    const { users, browsers } = this.#deps
    this.#requirePasswordSignIn()
    const user = await users.findByEmail(email)
    const known = user && browsers.find(user, client.browserToken)
    const giveBack = await this.#takeTry(email, client, known)
    if (!(await isPassword(password, user?.password_hash, 'signIn')) || user === undefined) {
      this.#refuse(user)
      throw new AppError('sign_in_failed')
    }
    const outcome = await this.#firstStep(user, client, 'password')
    await giveBack()
    return outcome
  }

  /** A user who returns from the OpenID provider; created if the settings permit it. */
  signInWithOidc(response: OidcResponse, client: CallingClient): Promise<SignedIn | SecondFactorStep> {
    return this.#deps.identities.signIn(response, client, (user) => this.#firstStep(user, client, 'oidc'))
  }

  /** Signs in with a link that an operator has created. */
  async signInWithLink(token: string, client: CallingClient): Promise<SignedIn | SecondFactorStep> {
    const { users, factors } = this.#deps
    const user = await users.find(await factors.takeLink(token))
    if (user === undefined) throw new AppError('token_invalid')
    return this.#firstStep(user, client, 'link')
  }

  /** The session of a user, or the second factor that it requires. */
  async #firstStep(
    user: UserRow,
    client: CallingClient,
    method: FirstStep,
  ): Promise<SignedIn | SecondFactorStep> {
    const { db, browsers, factors, isSuspended } = this.#deps
    if (await isSuspended(user.uuid)) throw new AppError('account_suspended')
    const second_factor = await factors.methodsOf(user.uuid)
    if (second_factor.length === 0)
      return this.#enter(user, client, method, browsers.find(user, client.browserToken))
    const challenge = await db.write(async () => {
      await this.#requireUnchanged(user)
      return factors.beginChallenge(user.uuid, method)
    })
    return { second_factor, challenge }
  }

  /** Rejects a password that was changed since it was verified: the change has ended all access with the old one. */
  async #requireUnchanged(user: UserRow): Promise<void> {
    if (!(await this.#deps.users.lockUnchanged(user))) throw new AppError('sign_in_failed')
  }

  #requirePasswordSignIn(): void {
    if (!this.#deps.passwordSignIn) throw new AppError('password_sign_in_off')
  }

  /** The second step of a sign-in. */
  async verifySecondFactor(
    { challenge, code, passkey }: Body<'verifySecondFactor'>,
    client: CallingClient,
  ): Promise<SignedIn> {
    const { users, browsers, factors, passkeys } = this.#deps
    const begun = await factors.findChallenge(challenge)
    const user = begun && (await users.find(begun.user_uuid))
    if (begun === undefined || user === undefined) throw new AppError('challenge_invalid')
    const known = browsers.find(user, client.browserToken)
    if (await this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    if (code == null) {
      const purpose = { kind: 'second-factor', subject: challenge } as const
      const verified = await passkeys.verify(purpose, passkey, user.uuid)
      if (verified === undefined) throw this.#refuse(user, new AppError('passkey_failed'))
      await factors.completeChallenge(challenge, user.uuid, verified)
    } else {
      const { uuid: userUuid } = user
      const giveBack = await factors.takeTry(
        known === undefined
          ? { userUuid, trier: 'stranger', address: client.address }
          : { userUuid, trier: 'known_browser' },
        code,
      )
      await factors.completeChallenge(challenge, user.uuid, code).catch((error: unknown) => {
        throw this.#refuse(user, error)
      })
      await giveBack()
    }
    const second = code == null ? 'passkey' : isRecoveryCode(code) ? 'recovery' : 'totp'
    return this.#enter(user, client, `${begun.first_step}+${second}`, known)
  }

  /** The options for a passkey: as second factor of the sign-in of this challenge, or as the only factor. */
  async passkeyOptions(challenge: string | null | undefined) {
    const { factors, passkeys } = this.#deps
    if (challenge == null) return passkeys.requestOptions({ kind: 'sign-in' })
    const begun = await factors.findChallenge(challenge)
    if (begun === undefined) throw new AppError('challenge_invalid')
    return passkeys.requestOptions({ kind: 'second-factor', subject: challenge }, begun.user_uuid)
  }

  /** A passkey alone counts as two factors: the device, and how it verified the person. */
  async signInWithPasskey(given: unknown, client: CallingClient): Promise<SignedIn> {
    const { db, users, browsers, passkeys } = this.#deps
    const verified = await passkeys.verify({ kind: 'sign-in' }, given)
    const user = verified && (await users.find(verified.row.user_uuid))
    if (verified === undefined || user === undefined) throw new AppError('passkey_failed')
    if (await this.#deps.isSuspended(user.uuid)) throw new AppError('account_suspended')
    if (!(await db.write(() => passkeys.use(verified)))) throw new AppError('passkey_failed')
    return this.#enter(user, client, 'passkey', browsers.find(user, client.browserToken))
  }

  /** Counts a failed try after the response, whose time must not reveal whether the account exists. */
  #refuse<E>(user: UserRow | undefined, error?: E): E | undefined {
    const { mail, events } = this.#deps
    if (user !== undefined) mail.later(() => events.recordRefused(user.uuid))
    return error
  }

  #takeTry(account: string, { address }: CallingClient, known: string | undefined) {
    return takePasswordTry(this.#deps.limits, known === undefined ? { account, address } : { known })
  }

  /** Starts the session of a user who has signed in, and notifies the owner if the browser is unknown. */
  async #enter(
    user: UserRow,
    client: CallingClient,
    method: Method,
    known: string | undefined,
  ): Promise<SignedIn> {
    const { mail, now } = this.#deps
    const signedIn = await this.#begin(user, client, method)
    if (known !== undefined) return signedIn
    const browser = (client.userAgent ?? 'unknown').replaceAll(/\s+/g, ' ').slice(0, 200).toWellFormed()
    mail.notify({ userUuid: user.uuid }, { kind: 'new_browser', browser, at: isoTime(now()) })
    return signedIn
  }

  async #begin(user: UserRow, client: CallingClient, method: Method): Promise<SignedIn> {
    const { db, accounts, sessions, browsers, events } = this.#deps
    const session = await db.write(async () => {
      await this.#requireUnchanged(user)
      await events.record(user.uuid, 'sign_in', { detail: method, client })
      return sessions.begin(user.uuid, client.userAgent, events.placeOf(client))
    })
    const cookies = [session, browsers.cookie(user, client.browserToken)]
    return { profile: accounts.present(user), cookies }
  }
}
