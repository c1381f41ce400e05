import { sites } from '@waymark/contract'
import type { FastifyInstance } from 'fastify'

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
