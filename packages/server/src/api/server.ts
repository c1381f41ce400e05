import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Operation, type OperationName, operations, sites } from '@waymark/contract'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import type { AccessLog } from '../net/access-log.ts'
import { actingFor, type Requester } from '../net/admission/gate.ts'
import { clientOf } from '../net/client.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import { AppError } from '../net/errors.ts'
import { type Handle, type PassOn, type RejectVisit, REQUEST_TIMEOUT_MS } from '../visitors/site.ts'
import { toAppError } from './app-errors.ts'
import { bodiesIn, removeStaleBodies } from './body/temp-folder.ts'
import { type Cors, Responses } from './responses.ts'
import { createPipeline, type PipelineDependencies, runOperation } from './pipeline.ts'
import type { RequestFacts, Routes, Site } from './routes.ts'
import { RateMeter } from './steps/rate-limit.ts'

interface HttpOptions extends PipelineDependencies {
  readonly routes: Routes
  readonly factsOf: (request: FastifyRequest) => RequestFacts
  readonly addressOf: AddressReader
  readonly log: Logger
  readonly sites: readonly Site[]
  /** Opens the routes of visits that the visitors' half passes on. */
  readonly openRouter: (reject: RejectVisit) => Handle
  readonly cors: Cors
  /** Whether the requested host is the instance's own rather than a customer's domain. */
  readonly isOwnHost: (host: string | undefined) => boolean
  /** Handles requests that match no route. */
  readonly notFoundPage: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly accessLog: AccessLog | undefined
  /** Called after every operation. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

/** No request in progress can have left its files unchanged for this long. */
const STALE_BODY_MS = 2 * REQUEST_TIMEOUT_MS

const ALLOWED: Record<Operation['method'], readonly string[]> = {
  GET: ['GET', 'HEAD', 'OPTIONS'],
  POST: ['POST', 'OPTIONS'],
}

const INSTANCE_ONLY = new Set([
  '',
  'v1',
  ...[sites.dashboard, sites.docs, sites.openapi, sites.llms, sites.metrics].map((path) => path.slice(1)),
])

const isOfInstance = (route: string): boolean => INSTANCE_ONLY.has(route.split('/', 2)[1] ?? '')

/** The pipeline validates requests with the contract, so Fastify's schema compilers are not loaded. */
const NO_SCHEMAS = {
  compilersFactory: {
    buildValidator: () => () => () => true,
    buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
  },
} as unknown as NonNullable<FastifyServerOptions['schemaController']>

const requesterOf = ({ raw }: FastifyRequest, address: string): Requester => ({
  address: addressBucket(address),
  isGone: () => raw.socket.destroyed,
})

/** The parts of a request and its reply that `Responses` uses. */
const asFastify = (request: IncomingMessage, response: ServerResponse, id: string) =>
  [
    { raw: request, id, method: request.method ?? '', headers: request.headers },
    { raw: response, getHeaders: () => response.getHeaders(), hijack: () => undefined },
  ] as const

const isApi = (url: string): boolean => /^\/v1(?:[/?]|$)/.test(url)

export interface ApiServer {
  /** Opens the routes. */
  ready(): Promise<void>
  /** Handles a request that the visitors' half has passed on. */
  readonly handle: PassOn
  close(): Promise<void>
}

/** Everything behind the visitors' half: visits that it passed on, then the operations, then the sites. */
export function createApiServer(options: HttpOptions): ApiServer {
  checkWhole(options.routes)
  const responses = new Responses(options)
  const handleVisit = options.openRouter((request, response, id, error) =>
    responses.reject(...asFastify(request, response, id), toAppError(error)),
  )
  const app = openRoutes(options, responses)
  const toFastify: PassOn = (request, response) => app.routing(request, response)
  return {
    async ready() {
      await app.ready()
    },
    handle(request, response) {
      options.accessLog?.watch(request, response)
      if (!handleVisit(request, response, toFastify)) toFastify(request, response)
    },
    close: () => app.close(),
  }
}

function openRoutes(options: HttpOptions, responses: Responses): FastifyInstance {
  const app = fastify({
    genReqId: (request) => clientOf(request).requestId,
    return503OnClosing: false,
    exposeHeadRoutes: true,
    bodyLimit: 1024 * 1024,
    schemaController: NO_SCHEMAS,
    routerOptions: { maxParamLength: 1024 },
    // A path that cannot be decoded or is too long: not found.
    frameworkErrors: (_error, request, reply) => {
      const reject = (error: unknown) => responses.reject(request, reply, toAppError(error))
      if (isApi(request.url)) void reject(new AppError('not_found'))
      else options.notFoundPage(request, reply).catch(reject)
    },
  })
  app.addHook('onReady', () => removeStaleBodies(bodiesIn(options.dataDir), STALE_BODY_MS, options.now()))
  // From here on expensive work counts against the requester's share.
  app.addHook('onRequest', (request, _reply, goOn) =>
    actingFor(requesterOf(request, options.addressOf(request.raw)), goOn),
  )
  if (options.accessLog !== undefined) nameRequests(app, options.accessLog)
  const isSecure = options.ownOrigin.startsWith('https:')
  // A custom domain serves only links and pages. The route decides, because the router decodes a path before it matches:
  // `/%61pp` is `/app`.
  app.addHook('onRequest', (request, reply, goOn) => {
    const isOwnHost = options.isOwnHost(request.headers.host)
    // Without subdomains, because other services on the same domain are not ours to decide.
    if (isOwnHost && isSecure) reply.header('strict-transport-security', 'max-age=31536000')
    const route = request.is404 ? undefined : request.routeOptions.url
    if (isOwnHost || (route !== undefined && !isOfInstance(route))) goOn()
    else options.notFoundPage(request, reply).catch(goOn)
  })
  // Operations read their own bodies, after the headers were validated; nothing else reads any.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null))
  const paths = new Map<string, readonly string[]>()
  const pipeline = createPipeline(options)
  for (const route of options.routes) {
    const { method, path } = operations[route.name]
    paths.set(path, ALLOWED[method])
    app.route({
      method,
      url: path,
      handler: () => undefined,
      // Before Fastify checks the body and its type.
      onRequest: async (request, reply) => {
        const startedAt = performance.now()
        const meter = new RateMeter(options.limits)
        try {
          const facts = options.factsOf(request)
          const response = await runOperation(pipeline, { request, reply, meter, facts, route })
          return responses.write(request, reply, response, meter)
        } catch (error) {
          return await responses.reject(request, reply, toAppError(error), meter)
        } finally {
          options.observe(route.name, reply.raw.statusCode, (performance.now() - startedAt) / 1000)
        }
      },
    })
  }
  addSites(app, options.sites, (request, reply, error) => responses.reject(request, reply, error))

  const respondToUnknown = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const path = request.url.split('?', 1)[0] ?? ''
    if (!isApi(request.url) || !options.isOwnHost(request.headers.host))
      return options.notFoundPage(request, reply)
    const allowed = paths.get(path)
    if (request.method === 'OPTIONS') {
      reply.headers(options.cors.headersFor(request.headers.origin))
      options.cors.preflight(request, reply, allowed ?? ['GET', 'POST', 'OPTIONS'])
      return reply.code(204).header('x-request-id', request.id).send()
    }
    if (allowed === undefined) return responses.reject(request, reply, new AppError('not_found'))
    const headers = { allow: allowed.join(', ') }
    return responses.reject(request, reply, new AppError('method_not_allowed', { headers }))
  }
  app.setNotFoundHandler(respondToUnknown)
  app.setErrorHandler((error, request, reply) => {
    const rejection = toAppError(error)
    // Return 404 or 405 for a path that is not an operation, whatever the type of its body.
    if (request.is404 && rejection.status < 500) return respondToUnknown(request, reply)
    return responses.reject(request, reply, rejection)
  })
  return app
}

/** The access log uses the name of an operation, and otherwise the route. */
function nameRequests(app: FastifyInstance, accessLog: AccessLog): void {
  const names = new Map<string, string>(Object.entries(operations).map(([name, { path }]) => [path, name]))
  app.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url ?? 'unknown'
    accessLog.name(request.raw, names.get(route) ?? route, request.id)
  })
}

/** Every operation of the table must have exactly one route. */
function checkWhole(routes: Routes): void {
  const served = routes.map(({ name }) => name)
  const doubled = served.filter((name, at) => served.indexOf(name) !== at)
  const missing = (Object.keys(operations) as OperationName[]).filter((name) => !served.includes(name))
  if (doubled.length > 0 || missing.length > 0)
    throw new Error(`Operations without a route: ${missing.join(', ')}; with two: ${doubled.join(', ')}`)
}

type Reject = (request: FastifyRequest, reply: FastifyReply, error: AppError) => unknown

/** HEAD follows GET. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Registers the sites. A path of a site returns 405 for every other method, instead of 404. */
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
      // Before Fastify checks the body and its type.
      onRequest: async (request, reply) =>
        reject(request, reply, new AppError('method_not_allowed', { headers })),
    })
  }
}
