import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'

/** The mark of the product, for whatever has none of its own; browsers ask for it unasked. */
const MARK =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5d4a"/><path d="M6 8h14.5L27 14.5 20.5 21H6z" fill="#ffc52e"/><path d="M10 11.8l2 5.4 2-4.2 2 4.2 2-5.4" fill="none" stroke="#241d02" stroke-width="1.9" stroke-linecap="round" stroke-linejoin="round"/><path d="M11 21v6.5" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/></svg>'

export const faviconSite = (app: FastifyInstance): void => {
  app.get(sites.favicon, (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml',
        'cache-control': 'public, max-age=86400',
        'content-security-policy': "default-src 'none'",
        'x-content-type-options': 'nosniff',
      })
      .send(MARK),
  )
}
