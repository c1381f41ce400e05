import type { FastifyReply, FastifyRequest } from 'fastify'

const EXPOSED = 'x-ratelimit-limit, x-ratelimit-remaining, x-request-id, retry-after, idempotent-replayed'
const VARY = { vary: 'Origin' }
const TAKEN = 'Content-Type, Accept, X-API-KEY, X-SIGNATURE, X-TIMESTAMP, Idempotency-Key, If-Match, Prefer'

/** Lets the configured origins read responses. OPTIONS needs no credentials. */
export const createCors = (origins: readonly string[]) => {
  const allowed = new Set(origins)
  return {
    /** What every response says. It varies by Origin, whether that was allowed or not. */
    headersFor(origin: string | undefined): Record<string, string> {
      if (origin === undefined || !allowed.has(origin)) return VARY
      return { ...VARY, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
    },
    /** Handles a preflight for a path with these methods. */
    preflight(request: FastifyRequest, reply: FastifyReply, methods: readonly string[]): void {
      reply.header('allow', methods.join(', '))
      const { origin } = request.headers
      if (origin === undefined || !allowed.has(origin)) return
      reply
        .header('access-control-allow-methods', methods.join(', '))
        .header('access-control-allow-headers', TAKEN)
        .header('access-control-max-age', '600')
    },
  }
}

export type Cors = ReturnType<typeof createCors>
