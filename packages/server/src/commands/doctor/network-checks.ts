import { lookup } from 'node:dns/promises'
import { createRequire } from 'node:module'
import { isIP } from 'node:net'
import type { Redis } from 'ioredis'
import { redirectUrlOf } from '../../accounts/oidc/provider.ts'
import { type Check, failed, messageOf, ok, warning, within } from './finding.ts'

const TIMEOUT_MS = 5_000

export const checkRedis: Check = async ({ redisUrl }) => {
  if (redisUrl === undefined) return ok('Redis', 'not used')
  const library = createRequire(import.meta.url)('ioredis') as {
    readonly Redis: new (url: string, options: object) => Redis
  }
  const redis = new library.Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null })
  let cause: unknown
  redis.on('error', (error) => (cause = error))
  try {
    await within(TIMEOUT_MS, redis.connect())
    await within(TIMEOUT_MS, redis.ping())
    return ok('Redis', 'responds')
  } catch (error) {
    const fix = 'check REDIS_URL and that the server runs; without Redis limits count per node'
    return failed('Redis', messageOf(cause ?? error), fix)
  } finally {
    redis.disconnect()
  }
}

export const checkMail: Check = async ({ smtpUrl }) => {
  if (smtpUrl === undefined)
    return warning(
      'SMTP',
      'not set: no mail is sent, and addresses are not confirmed',
      'set SMTP_URL; to reset a password without mail: waymark user reset-link --email …',
    )
  const { createTransport } = await import('nodemailer')
  const transport = createTransport(smtpUrl)
  try {
    await within(TIMEOUT_MS, transport.verify())
    return ok('SMTP', 'the mail server accepts the connection')
  } catch (error) {
    return failed('SMTP', messageOf(error), 'check SMTP_URL: host, port, user and password')
  } finally {
    transport.close()
  }
}

const hostOf = (baseUrl: string): string => new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')

const isLocal = (host: string): boolean => host === 'localhost' || isIP(host) !== 0

export const checkDns: Check = async ({ baseUrl }) => {
  const host = hostOf(baseUrl)
  if (isLocal(host)) return ok('DNS', `${host} needs no DNS`)
  try {
    const found = await within(TIMEOUT_MS, lookup(host, { all: true }))
    return ok('DNS', `${host} is ${found.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    const fix = `create an A or AAAA record for ${host}, or correct BASE_URL`
    return failed('DNS', messageOf(error), fix)
  }
}

export const checkReach: Check = async ({ baseUrl }) => {
  try {
    const response = await fetch(`${baseUrl}/livez`, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status } = (await response.json()) as { status?: unknown }
    if (response.ok && status === 'live') return ok('BASE_URL', `${baseUrl} responds`)
    const fix = 'configure the proxy to forward all paths to Waymark, or correct BASE_URL'
    return failed('BASE_URL', `something else responds at ${baseUrl}`, fix)
  } catch (error) {
    const { cause } = error as Error
    const fix = 'start Waymark, and check that the proxy and the firewall let requests through'
    return warning('BASE_URL', `${baseUrl}: ${messageOf(cause ?? error)}`, fix)
  }
}

/** HTTPS requires a proxy, and a proxy hides the addresses of visitors unless it is trusted. */
export const checkProxy: Check = async ({ baseUrl, trustProxy }) => {
  const isSecure = baseUrl.startsWith('https:')
  if (isSecure && trustProxy === 0)
    return warning(
      'proxy',
      'BASE_URL is https, so there is a proxy, but TRUST_PROXY is off: all visitors count as one address',
      'set TRUST_PROXY to the number of proxies or to their addresses, such as loopback',
    )
  if (!isSecure && trustProxy !== 0 && isLocal(hostOf(baseUrl)))
    return warning(
      'proxy',
      'TRUST_PROXY is set without a proxy: visitors can forge their address',
      'set TRUST_PROXY=off, or BASE_URL to the address of the proxy',
    )
  if (!isSecure && !isLocal(hostOf(baseUrl)))
    return warning(
      'proxy',
      'BASE_URL is not https: passwords and keys are sent unencrypted',
      'see docs/domains.md',
    )
  return ok('proxy', trustProxy === 0 ? 'none' : `TRUST_PROXY is ${String(trustProxy)}`)
}

const OIDC = 'OpenID Connect'
/** Larger than the tolerance for tokens, at which every sign-in fails. */
const CLOCK_MS = 30_000

interface ProviderMetadata {
  readonly issuer?: unknown
  readonly authorization_endpoint?: unknown
}

/** Checks the provider's metadata, the clocks, and whether the provider knows our redirect address. */
export const checkOidc: Check = async ({ oidc, passwordSignIn, baseUrl }) => {
  if (oidc === undefined)
    return passwordSignIn
      ? ok(OIDC, 'not used')
      : warning(
          OIDC,
          'PASSWORD_SIGN_IN is off and OIDC_ISSUER is not set: only passkeys sign in',
          'set OIDC_ISSUER, or create a link with: waymark user sign-in-link --email …',
        )
  const { issuer, clientId } = oidc
  const redirectUrl = redirectUrlOf(baseUrl)
  try {
    const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
    const response = await fetch(address, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok)
      return failed(OIDC, `${address} responds with ${response.status}`, 'correct OIDC_ISSUER')
    const described = (await response.json()) as ProviderMetadata
    if (described.issuer !== issuer)
      return failed(
        OIDC,
        `the provider calls itself ${String(described.issuer)}`,
        'set OIDC_ISSUER to exactly that',
      )
    const apartMs = Math.abs(Date.parse(response.headers.get('date') ?? '') - Date.now())
    if (apartMs > CLOCK_MS)
      return failed(
        OIDC,
        `the clock is ${Math.round(apartMs / 1000)} seconds apart from the provider’s`,
        'synchronise the clock of this machine with NTP',
      )
    if (await knowsRedirect(String(described.authorization_endpoint), clientId, redirectUrl))
      return ok(OIDC, `${issuer} responds and accepts ${redirectUrl}`)
    return warning(
      OIDC,
      `${issuer} did not confirm the client ${clientId} and the redirect address ${redirectUrl}`,
      `register exactly ${redirectUrl} at the provider, and check OIDC_CLIENT_ID; some providers never confirm it`,
    )
  } catch (error) {
    const { cause } = error as Error
    return failed(OIDC, `${issuer}: ${messageOf(cause ?? error)}`, 'check OIDC_ISSUER and the network')
  }
}

/** Without a session, `prompt=none` makes the provider redirect back with an error if it accepts the address. */
async function knowsRedirect(endpoint: string, clientId: string, redirectUrl: string): Promise<boolean> {
  const url = new URL(endpoint)
  const parameters = {
    client_id: clientId,
    redirect_uri: redirectUrl,
    response_type: 'code',
    scope: 'openid',
    prompt: 'none',
    state: 'doctor',
    nonce: 'doctor',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) })
  await response.body?.cancel()
  return response.headers.get('location')?.startsWith(redirectUrl) ?? false
}
