import { sites } from '@waymark/contract'
import type * as Library from 'openid-client'
import type { ClientAuth, Configuration, CustomFetch } from 'openid-client'
import type { Logger } from 'pino'
import type { OidcConfig } from '../../config-values.ts'
import { admission } from '../../net/admission/lanes.ts'
import { AppError } from '../../net/errors.ts'

const TIMEOUT_S = 5
const MOST_BYTES = 512 * 1024
const KNOWN_FOR_MS = 3_600_000
const CLOCK_TOLERANCE_S = 30
/** Strangers can cause a failure with each request; one log line a minute tells an operator enough. */
const LOG_EVERY_MS = 60_000
const MOST_REASON_CHARS = 500

/** Where the provider sends browsers back to: a page of the dashboard, which passes its query on. */
export const redirectUrlOf = (baseUrl: string): string => `${baseUrl}${sites.dashboard}/oidc`

/** What a browser is sent to the provider with, and what the response is checked against. */
export interface AuthorizationRequest {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
}

/** Who the provider says is there. */
export interface ProviderIdentity {
  readonly subject: string
  readonly email: string | undefined
  readonly emailVerified: boolean
  readonly firstName: string | undefined
  readonly lastName: string | undefined
  /** When the user last signed in at the provider. */
  readonly authenticatedAtMs: number | undefined
}

/** The provider cannot be reached, or what it sent is too large or an error of its own. */
class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable'
}

/** Reads a response as a whole, up to a limit: what is larger is no document of OpenID Connect. */
async function limited(response: Response): Promise<Response> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.length
    if (size > MOST_BYTES) throw new ProviderUnavailable('The response of the provider is too large')
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

/**
 * Why a sign-in failed, for the operator: the messages of an error and its causes, and what the provider said. The causes
 * of the library that are not errors hold codes and claims, which do not belong in a log.
 */
function reasonOf(error: unknown): string {
  const parts: string[] = []
  let at = error
  for (; at instanceof Error; at = at.cause) {
    const { error: code, error_description: description } = at as Error & Record<string, unknown>
    const said = [code, description].filter((each) => typeof each === 'string')
    parts.push(said.length === 0 ? at.message : `${at.message} (${said.join(': ')})`)
  }
  if (at instanceof Response) parts.push(String(at.status))
  return parts.join(': ').slice(0, MOST_REASON_CHARS)
}

/** PostgreSQL rejects NUL in text. */
const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= 255 && !value.includes('\0') ? value.toWellFormed() : undefined

/** Sends the secret in the way that the provider names; where it names none, the standard's default is HTTP Basic. */
const withSecret =
  ({ ClientSecretPost, ClientSecretBasic }: typeof Library, secret: string): ClientAuth =>
  (server, ...request) => {
    const takesPost = server.token_endpoint_auth_methods_supported?.includes('client_secret_post') === true
    const authenticate = takesPost ? ClientSecretPost(secret) : ClientSecretBasic(secret)
    authenticate(server, ...request)
  }

/**
 * The OpenID provider of the instance: authorization code flow with PKCE, state and nonce. The library is loaded when the
 * first user signs in with it. Every request is limited in time and size.
 */
export class OidcProvider {
  readonly #config: OidcConfig
  readonly #redirectUrl: string
  readonly #now: () => number
  readonly #log: Pick<Logger, 'warn'>
  #loggedAtMs = 0
  #known: { readonly configuration: Promise<Configuration>; readonly untilMs: number } | undefined

  constructor(config: OidcConfig, redirectUrl: string, now: () => number, log: Pick<Logger, 'warn'>) {
    this.#config = config
    this.#redirectUrl = redirectUrl
    this.#now = now
    this.#log = log
  }

  /** Where to send the browser. `kind`: what the page that it comes back to reads off the state. `isFresh`: the user has to sign in there again, whatever session the provider has. */
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

  /** Exchanges the code in the query that the browser came back with, and checks everything about the response. */
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
      const { userinfo_endpoint } = configuration.serverMetadata()
      // Some providers put the address into the ID token, some only there.
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
      const { AuthorizationResponseError } = await import('openid-client')
      const isDenied = error instanceof AuthorizationResponseError
      // A user who cancelled is no news for the operator.
      if (!isDenied || error.error !== 'access_denied') this.#report(error)
      const code = isUnavailable(error) ? 'oidc_unavailable' : isDenied ? 'oidc_denied' : 'oidc_failed'
      throw new AppError(code, { cause: error })
    }
  }

  #report(error: unknown): void {
    if (this.#now() - this.#loggedAtMs < LOG_EVERY_MS) return
    this.#loggedAtMs = this.#now()
    this.#log.warn({ reason: reasonOf(error) }, 'a sign-in with the OpenID provider failed')
  }

  /** What the provider says about itself, read once an hour. A failure is not kept. */
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
    // Keys are checked although the token came over TLS: then a proxy in between is not trusted.
    const execute = [library.enableNonRepudiationChecks]
    // The configuration permits it on this machine alone.
    if (issuer.startsWith('http:')) execute.push(library.allowInsecureRequests)
    return library.discovery(
      new URL(issuer),
      clientId,
      { [library.clockTolerance]: CLOCK_TOLERANCE_S },
      clientSecret === undefined ? library.None() : withSecret(library, clientSecret),
      { execute, timeout: TIMEOUT_S, [library.customFetch]: boundedFetch },
    )
  }
}
