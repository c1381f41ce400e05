import type { IncomingMessage } from 'node:http'
import { sites } from '@waymark/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isBearer, isSameText } from '../net/caller.ts'
import type { AddressReader } from '../net/client-address.ts'
import { isPublicAddress } from '../net/public-address.ts'
import { DAY_MS } from '../work/times.ts'
import { MARK_FILE } from './site.ts'

/** Browsers request an icon on every host. */
export const faviconSite = (app: FastifyInstance): void => {
  app.get(sites.favicon, (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(MARK_FILE),
  )
}

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
export const askSite =
  ({ isVerified, addressOf, token }: AskDependencies) =>
  (app: FastifyInstance): void => {
    const mayAsk = ({ raw, headers }: FastifyRequest, given: string | undefined): boolean =>
      (token !== undefined && (isBearer(headers.authorization, token) || isSameText(given, token))) ||
      (!isForwarded(raw) && !isPublicAddress(addressOf(raw)))

    app.get<{ Querystring: Record<string, unknown> }>(`${sites.wellKnown}/waymark/ask`, (request, reply) => {
      const { domain, token: given } = request.query
      const isKnown =
        mayAsk(request, typeof given === 'string' ? given : undefined) &&
        typeof domain === 'string' &&
        isVerified(domain.toLowerCase().replace(/\.$/, ''))
      return reply
        .code(isKnown ? 200 : 404)
        .header('cache-control', 'no-store')
        .send({ domain: typeof domain === 'string' ? domain : null, verified: isKnown })
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

export const robotsSite =
  (domainOf: (host: string | undefined) => string) =>
  (app: FastifyInstance): void => {
    app.get(sites.robots, (request, reply) =>
      reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=3600')
        .send(domainOf(request.headers.host) === '' ? OWN_HOST : CUSTOM_DOMAIN),
    )
  }

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

/** The contact for vulnerabilities (RFC 9116), on every host; 404 without a contact. */
export const securitySite =
  (contact: string | undefined, baseUrl: string, now: () => number) =>
  (app: FastifyInstance): void => {
    const path = `${sites.wellKnown}/security.txt`
    app.get(path, (_request, reply) => {
      if (contact === undefined) return reply.callNotFound()
      const today = Math.floor(now() / DAY_MS)
      const expires = new Date((today + VALID_DAYS) * DAY_MS).toISOString()
      return reply
        .header('content-type', 'text/plain; charset=utf-8')
        .header('cache-control', 'public, max-age=86400')
        .send(
          `Contact: ${contact}\nExpires: ${expires}\nPreferred-Languages: en\nCanonical: ${baseUrl}${path}\n`,
        )
    })
  }
