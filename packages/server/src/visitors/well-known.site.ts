import type { IncomingMessage } from 'node:http'
import { sites } from '@waymark/contract'
import { isBearer, isSameText } from '../net/caller.ts'
import type { AddressReader } from '../net/client-address.ts'
import { isPublicAddress } from '../net/public-address.ts'
import { DAY_MS } from '../work/times.ts'
import { get, type Route, send } from './router.ts'
import { MARK_FILE } from './site.ts'

/** Browsers request an icon on every host. */
export const faviconRoute: Route = get(sites.favicon, (exchange) => {
  const headers = {
    'content-type': 'image/svg+xml',
    'cache-control': 'public, max-age=86400',
    'content-security-policy': "default-src 'none'",
    'x-content-type-options': 'nosniff',
  }
  send(exchange, 200, headers, MARK_FILE)
})

interface AskDependencies {
  /** Whether a name is the instance's own host or a verified domain; from memory. */
  readonly isVerified: (name: string) => boolean
  readonly addressOf: AddressReader
  /** Allows callers to ask from anywhere. */
  readonly token: string | undefined
}

/** A forwarded request comes from a visitor, whatever the address of the proxy. */
const isForwarded = ({ headers }: IncomingMessage): boolean =>
  headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined

/**
 * Tells a proxy whether to get a certificate for a host: 200 or 404. Without this check, strangers could make the proxy
 * request certificates for any number of names. Only private networks and callers with the token may ask.
 */
export function askRoute({ isVerified, addressOf, token }: AskDependencies): Route {
  const mayAsk = (request: IncomingMessage, given: string | undefined): boolean =>
    (token !== undefined && (isBearer(request.headers.authorization, token) || isSameText(given, token))) ||
    (!isForwarded(request) && !isPublicAddress(addressOf(request)))

  return get(`${sites.wellKnown}/waymark/ask`, (exchange) => {
    const { domain, token: given } = exchange.query
    const isKnown =
      mayAsk(exchange.request, typeof given === 'string' ? given : undefined) &&
      typeof domain === 'string' &&
      isVerified(domain.toLowerCase().replace(/\.$/, ''))
    const body = { domain: typeof domain === 'string' ? domain : null, verified: isKnown }
    const headers = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }
    send(exchange, isKnown ? 200 : 404, headers, JSON.stringify(body))
  })
}

/** Short links and pages may be indexed; the dashboard, the API and previews of links have nothing to index. */
const OWN_HOST = `User-agent: *
Disallow: ${sites.dashboard}
Disallow: /v1/
Disallow: /*+$
`
const CUSTOM_DOMAIN = `User-agent: *
Disallow: /*+$
`

export const robotsRoute = (domainOf: (host: string | undefined) => string): Route =>
  get(sites.robots, (exchange) => {
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' }
    const isOwn = domainOf(exchange.request.headers.host) === ''
    send(exchange, 200, headers, isOwn ? OWN_HOST : CUSTOM_DOMAIN)
  })

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

/** The contact for vulnerabilities (RFC 9116), on every host; 404 without a contact. */
export function securityRoute(contact: string | undefined, baseUrl: string, now: () => number): Route {
  const path = `${sites.wellKnown}/security.txt`
  return get(path, (exchange) => {
    if (contact === undefined) return exchange.notFound()
    const today = Math.floor(now() / DAY_MS)
    const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString()
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=86400' }
    const text = `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}${path}\n`
    send(exchange, 200, headers, text)
  })
}
