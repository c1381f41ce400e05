import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
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
