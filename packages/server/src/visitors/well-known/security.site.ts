import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'
import { DAY_MS } from '../../work/times.ts'

/** RFC 9116 recommends less than a year. */
const VALID_DAYS = 180

/** Whom to tell of a vulnerability (RFC 9116), on every host; 404 without a contact. */
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
