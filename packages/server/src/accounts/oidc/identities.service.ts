import { createHash } from 'node:crypto'
import { stringifySetCookie } from 'cookie'
import type { Logger } from 'pino'
import type { Data } from '@waymark/contract/schemas'
import { validate, schemas } from '@waymark/contract/schemas'
import type { OidcConfig } from '../../config-values.ts'
import type { Caller, CallingClient } from '../../net/caller.ts'
import { AppError } from '../../net/errors.ts'
import type { Limits } from '../../net/limits/limits.ts'
import type { Database } from '../../storage/db/database.ts'
import type { IdentityRow } from '../../storage/db/tables.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { RequireWayIn } from '../access.ts'
import type { AccountMail } from '../account-mail.ts'
import type { FactorStore } from '../factors/factors.store.ts'
import type { AccountService } from '../users/accounts.service.ts'
import { takeSignUp } from '../users/passwords.ts'
import type { UserRow, UserStore } from '../users/users.store.ts'
import type { IdentityStore } from './identities.store.ts'
import type { AuthorizationRequest, OidcProvider, ProviderIdentity } from './provider.ts'
import { logRejection, OidcRejection } from './rejections.ts'

/** How long a user may take at the provider. */
const LIFE_MS = 10 * 60_000
const SEAL_CONTEXT = 'oidc'
const MAX_IDENTITIES = 10
/** Tolerance for the clocks of this server and the provider. */
const CLOCK_MS = 30_000

/** The name of the cookie; browsers accept the prefix only over HTTPS. */
export const oidcCookieName = (secure: boolean): string => (secure ? '__Host-waymark-oidc' : 'waymark-oidc')

/** The purpose and user of an authorization request: a response is valid only for the same ones. */
export type OidcPurpose =
  | { readonly kind: 'sign-in' }
  | { readonly kind: 'link' | 'proof'; readonly session: string }

/** Sealed in a cookie while the user is at the provider: nothing is stored before the response. */
interface Pending extends AuthorizationRequest {
  readonly kind: OidcPurpose['kind']
  readonly session: string | null
  readonly begunAtMs: number
}

/** What the browser returns with. */
export interface OidcResponse {
  readonly query: string
  readonly cookie: string | undefined
}

type Provider = Pick<OidcProvider, 'begin' | 'complete'>

export interface IdentityDependencies {
  readonly db: Database
  readonly store: IdentityStore
  readonly factors: Pick<FactorStore, 'useChallenge' | 'lockUser'>
  readonly requireWayIn: RequireWayIn
  readonly users: UserStore
  readonly accounts: Pick<AccountService, 'create'>
  readonly secrets: Secrets
  readonly limits: Limits
  readonly mail: AccountMail
  readonly oidc: (OidcConfig & { readonly provider: Provider }) | undefined
  /** Adds a new user to the workspace in `OIDC_JOIN`. */
  readonly join: (userUuid: string) => Promise<void>
  readonly log: Pick<Logger, 'warn'>
  readonly secure: boolean
  readonly now: () => number
  readonly newId: () => string
}

const sessionOf = (purpose: OidcPurpose): string | null => ('session' in purpose ? purpose.session : null)

const opened = (secrets: Secrets, cookie: string | undefined): Pending | undefined => {
  try {
    return cookie === undefined ? undefined : (JSON.parse(secrets.open(cookie, SEAL_CONTEXT)) as Pending)
  } catch {
    return undefined
  }
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Identities at an OpenID provider that users have linked: issuer and subject, never only the address. */
export class IdentityService {
  readonly #deps: IdentityDependencies

  constructor(deps: IdentityDependencies) {
    this.#deps = deps
  }

  /** The name of the provider; null without one. */
  get providerName(): string | null {
    return this.#deps.oidc?.name ?? null
  }

  /** Sends a browser to the provider. For a proof, the user has to sign in there again. */
  async begin(purpose: OidcPurpose): Promise<{ url: string; cookie: string }> {
    const { secrets, now } = this.#deps
    return this.#logged(purpose, async (provider) => {
      const { url, ...request } = await provider.begin(purpose.kind, purpose.kind === 'proof')
      const pending: Pending = {
        ...request,
        kind: purpose.kind,
        session: sessionOf(purpose),
        begunAtMs: now(),
      }
      return { url, cookie: this.#cookie(secrets.seal(JSON.stringify(pending), SEAL_CONTEXT)) }
    })
  }

  /** Signs in a user who returns from the provider. `enter`: the steps after the user is known, which may reject the user. */
  async signIn<T>(
    response: OidcResponse,
    client: CallingClient,
    enter: (user: UserRow) => Promise<T>,
  ): Promise<T> {
    const purpose = { kind: 'sign-in' } as const
    return this.#logged(purpose, async (provider) => {
      const identity = await this.#complete(provider, purpose, response)
      return enter(await this.#userOf(identity, client))
    })
  }

  /** Verifies that the user of a session has signed in at the provider again. */
  async prove({ uuid, userUuid }: Pick<Caller, 'uuid' | 'userUuid'>, response: OidcResponse): Promise<void> {
    const purpose = { kind: 'proof', session: uuid } as const
    await this.#logged(purpose, async (provider) => {
      const { subject } = await this.#complete(provider, purpose, response)
      const row = await this.#deps.store.find(this.#issuer(), subject)
      if (row?.user_uuid === userUuid) return
      const sentence = 'This identity is not linked to your account; confirm another way'
      throw new OidcRejection('identity_of_another', { errors: { oidc: [sentence] } })
    })
  }

  /** The identity of a user who links it; `add` stores it. */
  async verifyNew({ uuid }: Pick<Caller, 'uuid'>, response: OidcResponse): Promise<ProviderIdentity> {
    const purpose = { kind: 'link', session: uuid } as const
    return this.#logged(purpose, (provider) => this.#complete(provider, purpose, response))
  }

  add(userUuid: string, identity: ProviderIdentity): Promise<Data<'addIdentity'>> {
    return this.#logged({ kind: 'link' }, () => this.link(userUuid, identity))
  }

  /** Deletes the cookie in the browser. */
  get endCookie(): string {
    return this.#cookie(undefined)
  }

  /** Whether the user can sign in with the provider. */
  async isLinked(userUuid: string): Promise<boolean> {
    return (await this.#deps.store.list(userUuid)).some((row) => this.#signsIn(row))
  }

  async list(userUuid: string): Promise<Data<'identities'>> {
    return (await this.#deps.store.list(userUuid)).map(present)
  }

  async link(
    userUuid: string,
    identity: Pick<ProviderIdentity, 'subject' | 'email'>,
  ): Promise<Data<'addIdentity'>> {
    const { db, store, factors } = this.#deps
    const row = this.#row(userUuid, identity)
    return db.write(async () => {
      await factors.lockUser(userUuid)
      if ((await store.list(userUuid)).length >= MAX_IDENTITIES) throw new AppError('too_many_identities')
      if (!(await store.insert(row))) throw new AppError('identity_present')
      this.#notify(userUuid, 'was linked to')
      return present(row)
    })
  }

  /** Rejected for the last way to sign in. */
  async unlink(userUuid: string, uuid: string): Promise<{ uuid: string }> {
    const { db, store, factors, requireWayIn } = this.#deps
    await db.write(async () => {
      await factors.lockUser(userUuid)
      const row = (await store.list(userUuid)).find((each) => each.uuid === uuid)
      if (row === undefined) throw new AppError('not_found')
      await store.remove(userUuid, uuid)
      if (this.#signsIn(row)) await requireWayIn(userUuid)
      this.#notify(userUuid, 'was unlinked from')
    })
    return { uuid }
  }

  /** A reset ends the access of others, who may have linked their own identity. */
  async removeAll(userUuid: string): Promise<void> {
    const { db, store } = this.#deps
    await db.write(() => store.remove(userUuid))
  }

  /** Each rejection is one log line. */
  async #logged<T>(
    { kind }: Pick<OidcPurpose, 'kind'>,
    work: (provider: Provider) => Promise<T>,
  ): Promise<T> {
    const provider = this.#provider()
    return logRejection(this.#deps.log, kind, () => work(provider))
  }

  /** The identity of a user who returns from the provider, once per request. A proof must be newer than its start. */
  async #complete(
    provider: Provider,
    purpose: OidcPurpose,
    { query, cookie }: OidcResponse,
  ): Promise<ProviderIdentity> {
    const { db, factors } = this.#deps
    const pending = this.#open(cookie)
    if (pending.kind !== purpose.kind || pending.session !== sessionOf(purpose))
      throw new OidcRejection('purpose_wrong')
    if (pending.state !== new URLSearchParams(query).get('state')) throw new OidcRejection('state_wrong')
    const identity = await provider.complete(query, pending)
    // After the response, so that a request that the provider did not complete can be repeated.
    const used = { hash: hashOf(pending.state), expires_at: pending.begunAtMs + LIFE_MS }
    if (!(await db.write(() => factors.useChallenge(used)))) throw new OidcRejection('request_used')
    if (purpose.kind === 'proof' && (identity.authenticatedAtMs ?? 0) < pending.begunAtMs - CLOCK_MS)
      throw new OidcRejection('not_signed_in_again')
    return identity
  }

  /** The user of an identity; creates the user if the settings permit it. */
  async #userOf(identity: ProviderIdentity, client: CallingClient): Promise<UserRow> {
    const { db, store, users, now } = this.#deps
    const row = await store.find(this.#issuer(), identity.subject)
    const user = row && (await users.find(row.user_uuid))
    if (row === undefined || user === undefined) return this.#create(identity, client)
    await db.write(() => store.use(row.uuid, now()))
    return user
  }

  /** The response is the same for everyone who cannot be created: strangers do not learn which addresses have accounts. */
  async #create(identity: ProviderIdentity, client: CallingClient): Promise<UserRow> {
    const { db, store, accounts, limits, oidc, join, users, now } = this.#deps
    if (oidc?.signupDomains === undefined) throw new OidcRejection('sign_up_off')
    const email = validate(emailField, identity.email)
    if (!email.ok) throw new OidcRejection('email_invalid')
    if (!oidc.signupDomains.includes(email.value.split('@').at(-1) ?? ''))
      throw new OidcRejection('domain_not_allowed')
    if (!identity.emailVerified) throw new OidcRejection('email_unverified')
    await takeSignUp(limits, client.address)
    if ((await users.findByEmail(email.value)) !== undefined) throw new OidcRejection('email_taken')
    const first_name = nameOf(identity.firstName)
    const last_name = nameOf(identity.lastName)
    return db.write(async () => {
      const user = await accounts.create({ email: email.value, password: null, first_name, last_name }, true)
      const row = { ...this.#row(user.uuid, identity), last_used_at: now() }
      if (!(await store.insert(row))) throw new AppError('identity_present')
      await join(user.uuid)
      return user
    })
  }

  #row(userUuid: string, { subject, email }: Pick<ProviderIdentity, 'subject' | 'email'>): IdentityRow {
    const { now, newId } = this.#deps
    return {
      uuid: newId(),
      user_uuid: userUuid,
      issuer: this.#issuer(),
      subject,
      email: email ?? null,
      created_at: now(),
      last_used_at: null,
    }
  }

  #notify(userUuid: string, change: string): void {
    const { db, mail } = this.#deps
    const text = `An identity at ${this.providerName ?? 'the sign-in provider'} ${change} your Waymark account.`
    db.afterCommit(() => mail.notify({ userUuid }, { kind: 'identity', change: text }))
  }

  /** Without a trailing slash, about which providers and operators differ. */
  #issuer(): string {
    const { oidc } = this.#deps
    if (oidc === undefined) throw new AppError('oidc_off')
    return oidc.issuer.replace(/\/$/, '')
  }

  /** Identities at an earlier provider cannot sign in. */
  #signsIn({ issuer }: IdentityRow): boolean {
    return this.#deps.oidc !== undefined && issuer === this.#issuer()
  }

  #provider(): Provider {
    const { oidc } = this.#deps
    if (oidc === undefined) throw new AppError('oidc_off')
    return oidc.provider
  }

  #open(cookie: string | undefined): Pending {
    const { secrets, now } = this.#deps
    const pending = opened(secrets, cookie)
    if (pending === undefined) throw new OidcRejection('request_missing')
    if (now() - pending.begunAtMs >= LIFE_MS) throw new OidcRejection('request_expired')
    return pending
  }

  #cookie(value: string | undefined): string {
    const { secure } = this.#deps
    return stringifySetCookie({
      name: oidcCookieName(secure),
      value: value ?? '',
      httpOnly: true,
      sameSite: 'lax',
      secure,
      path: '/',
      maxAge: value === undefined ? 0 : LIFE_MS / 1000,
    })
  }
}

const { email: emailField, first_name: nameField } = schemas.signUp.body.shape

const nameOf = (name: string | undefined): string | null => {
  const text = validate(nameField, name)
  return text.ok ? (text.value ?? null) : null
}

const present = ({ uuid, issuer, email, created_at, last_used_at }: IdentityRow) => ({
  uuid,
  issuer,
  email,
  created_at: isoTime(created_at),
  last_used_at: isoTimeOrNull(last_used_at),
})
