import { sites } from '@waymark/contract'
import type * as Library from 'openid-client'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { OidcConfig } from '../../config-values.ts'
import { admission } from '../../net/admission/lanes.ts'
import { AppError } from '../../net/errors.ts'
import { OidcRejection, type RejectionReason } from './rejections.ts'

const TIMEOUT_S = 5
const MAX_BYTES = 512 * 1024
const KNOWN_FOR_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30
/** Claims of what has happened cannot be later than now, but for the clocks. The library does not check it. */
const MAX_FUTURE_MS = 60_000

/** Where the provider redirects browsers: a page of the dashboard, which passes the query on. */
export const redirectUrlOf = (baseUrl: string): string => `${baseUrl}${sites.dashboard}/oidc`

/** The parameters of an authorization request that the response is checked against. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** The user as reported by the provider. */
export interface ProviderIdentity {
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  /** When the user last signed in at the provider. */
  readonly authenticatedAtMs: number | undefined
}

/** The provider cannot be reached, or its response is too large or an error of its own. */
class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** Reads a whole response up to a limit: larger ones are not OpenID Connect documents. */
async function limited(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MAX_BYTES) throw new ProviderUnavailable('The response of the provider is too large')
    chunks.push(chunk)
  }
  const { status, statusText, headers } = response
  return new Response(size === 0 ? null : Buffer.concat(chunks), { status, statusText, headers })
}

const boundedFetch: CustomFetch = async (url, options) => {
  try {
    const { body, ...others } = options
    const response = await fetch(url, { ...others, ...(body != null && { body: body as string }) })
    if (response.status >= 500)
      throw new ProviderUnavailable(`The provider responded with ${response.status}`)
    return await limited(response)
  } catch (error) {
    if (error instanceof ProviderUnavailable) throw error
    throw new ProviderUnavailable('The provider does not respond', { cause: error })
  }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof ProviderUnavailable || (error instanceof Error && isUnavailable(error.cause))

const isWebAddress = (address: string | undefined): boolean =>
  /^https?:$/.test(URL.parse(address ?? '')?.protocol ?? '')

/** PostgreSQL rejects NUL in text. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 255 && !value.includes('\0') ? value.toWellFormed() : undefined

/** Sends the secret with the provider's method; the standard's default is HTTP Basic. */
const withSecret =
  ({ ClientSecretPost, ClientSecretBasic }: typeof Library, secret: string): ClientAuth =>
  (server, ...request) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const authenticate = takesPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
    authenticate(server, ...request)
  }

/**
 * The OpenID provider of the instance: authorization code flow with PKCE, state and nonce. The library is loaded with the
 * first sign-in. Every request is limited in time and size.
 */
export class OidcProvider {
  readonly #config: OidcConfig
  readonly #redirectUrl: string
  readonly #now: () => number
  #known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined

  constructor(config: OidcConfig, redirectUrl: string, now: () => number) {
    this.#config = config
    this.#redirectUrl = redirectUrl
    this.#now = now
  }

  /** Builds the provider's URL. `kind`: read from the state by the page that the browser returns to. `isFresh`: the user has to sign in there again. */
  begin(kind: string, isFresh: boolean): Promise<AuthorizationRequest & { readonly url: string }> {
    return this.#asking(async () => {
      const library = await import('openid-client')
      const configuration = await this.#discover()
      const request = {
        state: `${kind}.${library.randomState()}`,
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      }
      const url = library.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#redirectUrl,
        scope: 'openid email profile',
        state: request.state,
        nonce: request.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(request.verifier),
        code_challenge_method: 'S256',
        ...(isFresh && { max_age: '0', prompt: 'login' }),
      })
      return { ...request, url: url.href }
    })
  }

  /** Exchanges the code in the query that the browser returned with, and verifies the response. */
  complete(query: string, { state, nonce, verifier }: AuthorizationRequest): Promise<ProviderIdentity> {
    return this.#asking(async () => {
      const library = await import('openid-client')
      const configuration = await this.#discover()
      const url = new URL(this.#redirectUrl)
      url.search = query
      const tokens = await library.authorizationCodeGrant(configuration, url, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      const subject = textOf(claims?.sub)
      if (claims === undefined || subject === undefined)
        throw new Error('The provider sent no usable ID token')
      const latest = (this.#now() + MAX_FUTURE_MS) / 1000
      if (claims.iat > latest) throw new OidcRejection('issued_in_future')
      if ((claims.auth_time ?? 0) > latest) throw new OidcRejection('signed_in_in_future')
      const { userinfo_endpoint } = configuration.serverMetadata()
      // Some providers put the address into the ID token, others only into the user info.
      const more: Record<string, unknown> =
        claims['email'] === undefined && userinfo_endpoint !== undefined
          ? await library.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims
      return {
        subject,
        email: textOf(more['email']),
        emailVerified: more['email_verified'] === true,
        firstName: textOf(more['given_name']),
        lastName: textOf(more['family_name']),
        authenticatedAtMs: typeof claims.auth_time === 'number' ? claims.auth_time * 1000 : undefined,
      }
    })
  }

  async #asking<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await admission.run('oidc', work)
    } catch (error) {
      if (error instanceof AppError) throw error
      const { AuthorizationResponseError, ResponseBodyError } = await import('openid-client')
      const rejected = (reason: RejectionReason) => new OidcRejection(reason, { cause: error })
      if (isUnavailable(error)) throw rejected('provider_unavailable')
      if (error instanceof ResponseBodyError) throw rejected('token_error')
      if (!(error instanceof AuthorizationResponseError)) throw rejected('response_invalid')
      throw rejected(error.error === 'access_denied' ? 'access_denied' : 'provider_error')
    }
  }

  /** The provider's metadata, fetched once an hour. Failures are not cached. */
  #discover(): Promise<Configuration> {
    const at = this.#now()
    if (this.#known !== undefined && at < this.#known.untilMs) return this.#known.configuration
    const configuration = this.#read()
    const known = { configuration, untilMs: at + KNOWN_FOR_MS }
    this.#known = known
    configuration.catch(() => {
      if (this.#known === known) this.#known = undefined
    })
    return configuration
  }

  async #read(): Promise<Configuration> {
    const { issuer, clientId, clientSecret } = this.#config
    const library = await import('openid-client')
    // Signatures are checked although the token came over TLS, so that a proxy in between is not trusted.
    const execute = [library.enableNonRepudiationChecks]
    // The configuration permits it only on this machine.
    if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests)
    const configuration = await library.discovery(
      new URL(issuer),
      clientId,
      { [library.clockTolerance]: CLOCK_TOLERANCE_S },
      clientSecret === undefined ? library.None() : withSecret(library, clientSecret),
      { execute, timeout: TIMEOUT_S, [library.customFetch]: boundedFetch },
    )
    const { authorization_endpoint, token_endpoint, jwks_uri } = configuration.serverMetadata()
    if (![authorization_endpoint, token_endpoint, jwks_uri].every(isWebAddress))
      throw new Error('The description of the provider lacks the address of an endpoint')
    return configuration
  }
}
