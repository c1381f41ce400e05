import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Operation, type OperationName, operations, sites } from '@waymark/contract'
import fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
} from 'fastify'
import type { Logger } from 'pino'
import { actingFor, type Requester } from '../net/admission/gate.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import { AppError } from '../net/errors.ts'
import { createServer } from '../net/node-http.ts'
import { newRequestId } from '../storage/db/ids.ts'
import type { Front, Handle, PassOn, RejectVisit, TakeConnections } from '../visitors/site.ts'
import { Turns } from '../work/turns.ts'
import type { AccessLog } from './access-log.ts'
import { toAppError } from './app-errors.ts'
import { bodiesIn, removeStaleBodies } from './body/temp-folder.ts'
import { cutOffSlowReaders, limitConnections, limitPipelining, rejectBytes } from './connections.ts'
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
  readonly front: Front
  /** Opens the other routes of visitors. */
  readonly openRouter: (reject: RejectVisit) => Handle
  readonly takeConnections: TakeConnections
  /** Maximum number of open connections per address; trusted proxies and private addresses are exempt. */
  readonly connectionsPerAddress: number
  readonly isExemptAddress: (address: string) => boolean
  readonly cors: Cors
  /** Whether the requested host is the instance's own rather than a customer's domain. */
  readonly isOwnHost: (host: string | undefined) => boolean
  /** Handles requests that match no route. */
  readonly notFoundPage: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  readonly accessLog: AccessLog | undefined
  /** Called after every operation. */
  readonly observe: (operation: string, status: number, seconds: number) => void
}

const HEADERS_TIMEOUT_MS = 15_000
/** For a whole upload over a slow connection; silence is cut off much sooner. */
const REQUEST_TIMEOUT_MS = 300_000
const KEEP_ALIVE_MS = 65_000
/** Long enough for every busy connection to get one more response, which closes it, even on a busy machine. */
const LAST_RESPONSES_MS = 1_500
const CONNECTION_CHECK_MS = 25
const TIMEOUT_CHECK_MS = 2_000
/** Some twenty-five ordinary requests start within it. */
const START_TURN_MS = 4
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

/** The HTTP server: first the redirects, then the operations, then the sites. */
export function createHttpServer(options: HttpOptions): FastifyInstance {
  checkWhole(options.routes)
  const responses = new Responses(options)
  const handleVisit = options.openRouter((request, response, id, error) =>
    responses.reject(...asFastify(request, response, id), toAppError(error)),
  )
  let closing = false
  const app = fastify({
    serverFactory: (handler) => {
      const starts = new Turns(START_TURN_MS)
      const startInTurn: PassOn = (request, response) =>
        starts.start(() => {
          if (!response.destroyed && !handleVisit(request, response)) handler(request, response)
        })
      const server = createNodeServer(startInTurn, options.front, () => closing, options.accessLog, starts)
      options.takeConnections(server, () => closing, starts)
      cutOffSlowReaders(server)
      limitConnections(server, options.connectionsPerAddress, options.isExemptAddress)
      server.prependListener('connection', starts.noteConnection)
      return server
    },
    clientErrorHandler: rejectBytes,
    genReqId: newRequestId,
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
  // Responses close their connections first, then the server stops listening, so that no request is rejected.
  app.addHook('preClose', async () => {
    closing = true
    const until = performance.now() + LAST_RESPONSES_MS
    while ((await connectionsOf(app.server)) > 0 && performance.now() < until)
      await sleep(CONNECTION_CHECK_MS)
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

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.getConnections((_error, count) => resolve(count ?? 0))
  })

/** Two proxies could disagree about which one counts, so neither does (RFC 9112, section 3.2). */
function hasTwoHosts(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/**
 * The absolute form of a target (`GET http://host/path`) becomes a path, and its host replaces the Host header (RFC 9112,
 * section 3.2.2). False for a target that is neither a path nor the URL of a host.
 */
function readTarget(request: IncomingMessage): boolean {
  const { url = '' } = request
  if (url.startsWith('/') || url === '*') return true
  const [, host, path = ''] = /^https?:\/\/([^/?#@]+)([/?][^#]*)?$/i.exec(url) ?? []
  if (host === undefined) return false
  request.url = path.startsWith('/') ? path : `/${path}`
  request.headers.host = host
  return true
}

function rejectRequest(response: ServerResponse, error: string): void {
  const body = JSON.stringify({ error })
  response.shouldKeepAlive = false
  response
    .writeHead(400, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}

function createNodeServer(
  handler: PassOn,
  front: Front,
  isClosing: () => boolean,
  accessLog: AccessLog | undefined,
  starts: Turns,
): Server {
  const handle: PassOn = (request, response) => {
    // A client that keeps a busy connection open would keep the server from stopping.
    if (isClosing()) response.shouldKeepAlive = false
    noteRequest(request, response)
    accessLog?.watch(request, response)
    if (hasTwoHosts(request.rawHeaders))
      return rejectRequest(response, 'The request has more than one Host header')
    if (!readTarget(request))
      return rejectRequest(response, 'The request target must be a path, or a URL that starts with http://')
    if (!front(request, response, handler)) handler(request, response)
  }
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      noDelay: true,
    },
    handle,
  )
  const noteRequest = limitPipelining(server, starts)
  // The code that reads the body sends 100 Continue.
  server.on('checkContinue', handle)
  // Not a proxy. Without a listener node:http would close the connection before earlier responses are sent.
  server.on('connect', (_request, socket) =>
    rejectBytes(new Error('CONNECT is not supported'), socket as Socket),
  )
  return server
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
