import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../net/errors.ts'
import type { Site } from '../visitors/site.ts'

type Reject = (request: FastifyRequest, reply: FastifyReply, error: AppError) => unknown

/** HEAD follows GET. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Registers the sites. A path that they have answers 405 to every other method, rather than as if it did not exist. */
export function addSites(app: FastifyInstance, sites: readonly Site[], reject: Reject): void {
  const methodsOf = new Map<string, Set<string>>()
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(url, methods)
  })
  for (const site of sites) site(app)

  for (const [url, methods] of Array.from(methodsOf)) {
    const others = METHODS.filter((method) => !methods.has(method))
    if (others.length === 0) continue
    const headers = { allow: Array.from(methods).join(', ') }
    app.route({
      method: others,
      url,
      handler: () => undefined,
      // Before Fastify looks at the body and its type.
      onRequest: async (request, reply) =>
        reject(request, reply, new AppError('method_not_allowed', { headers })),
    })
  }
}
