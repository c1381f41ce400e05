/* The HTTP server of the visitors' half: connections, malformed requests, and who handles the others. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AccessLog } from '../net/access-log.ts'
import { continueWhenRead, createServer } from '../net/node-http.ts'
import { Turns } from './turns.ts'
import { cutOffSlowReaders, limitConnections, limitPipelining, rejectBytes } from './connections.ts'
import { type Front, type Handle, type PassOn, REQUEST_TIMEOUT_MS, type TakeConnections } from './site.ts'

export interface Handlers {
  readonly takeConnections: TakeConnections
  readonly front: Front
  /** The routes of visitors. */
  readonly handle: Handle
  /** Everything else. */
  readonly passOn: PassOn
  /** Maximum number of open connections per address; trusted proxies and private addresses are exempt. */
  readonly connectionsPerAddress: number
  readonly isExemptAddress: (address: string) => boolean
  readonly accessLog: AccessLog | undefined
}

const HEADERS_TIMEOUT_MS = 15_000
const KEEP_ALIVE_MS = 65_000
/** Long enough for every busy connection to get one more response, which closes it, even on a busy machine. */
const LAST_RESPONSES_MS = 1_500
const CONNECTION_CHECK_MS = 25
const TIMEOUT_CHECK_MS = 2_000
/** Some twenty-five ordinary requests start within it. */
const START_TURN_MS = 4

/** Connections that may wait until the service can serve them. */
const MAX_EARLY = 10_000

export interface VisitorServer {
  readonly server: Server
  /** Begins to serve: connections that were accepted before have waited for it. */
  serve(handlers: Handlers): void
  /** Responds to the requests in flight, closes their connections and stops listening. */
  close(): Promise<void>
}

/** May listen before there is anything to serve. */
export function createVisitorServer(): VisitorServer {
  const starts = new Turns(START_TURN_MS)
  let isClosing = false
  let receive = (_request: IncomingMessage, response: ServerResponse): void => void response.destroy()
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: TIMEOUT_CHECK_MS,
      noDelay: true,
    },
    (request, response) => receive(request, response),
  )
  continueWhenRead(server, (request, response) => receive(request, response))
  server.on('clientError', rejectBytes)
  // Not a proxy. Without a listener node:http would close the connection before earlier responses are sent.
  server.on('connect', (_request, socket) =>
    rejectBytes(new Error('CONNECT is not supported'), socket as Socket),
  )
  const serveEarly = holdConnections(server)
  return {
    server,
    serve({ takeConnections, front, handle, passOn, connectionsPerAddress, isExemptAddress, accessLog }) {
      const toApi: PassOn = (request, response) => {
        accessLog?.leave(request)
        passOn(request, response)
      }
      const startInTurn: PassOn = (request, response) =>
        starts.start(() => {
          if (!response.destroyed && !handle(request, response, toApi)) toApi(request, response)
        })
      let noteRequest: ReturnType<typeof limitPipelining> = () => undefined
      receive = (request, response) => {
        // A client that keeps a busy connection open would keep the server from stopping.
        if (isClosing) response.shouldKeepAlive = false
        noteRequest(request, response)
        accessLog?.watch(request, response)
        if (hasTwoHosts(request.rawHeaders))
          return rejectRequest(response, 'The request has more than one Host header')
        if (!readTarget(request))
          return rejectRequest(
            response,
            'The request target must be a path, or a URL that starts with http://',
          )
        if (!front(request, response, startInTurn)) startInTurn(request, response)
      }
      serveEarly(() => {
        noteRequest = limitPipelining(server, starts)
        takeConnections(server, () => isClosing, starts)
        cutOffSlowReaders(server)
        limitConnections(server, connectionsPerAddress, isExemptAddress)
        server.prependListener('connection', starts.noteConnection)
      })
    },
    async close() {
      isClosing = true
      if (!server.listening) return
      // Responses close their connections first, then the server stops listening, so that no request is rejected.
      const until = performance.now() + LAST_RESPONSES_MS
      while ((await connectionsOf(server)) > 0 && performance.now() < until) await sleep(CONNECTION_CHECK_MS)
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeIdleConnections()
      })
    },
  }
}

/** Holds accepted connections until `serve` is called, which may register listeners of its own first. */
function holdConnections(server: Server): (register: () => void) => void {
  const [listener] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (listener === undefined) throw new Error('The server does not listen for connections')
  const early: Socket[] = []
  const hold = (socket: Socket): void => {
    if (early.length < MAX_EARLY) early.push(socket)
    else socket.destroy()
  }
  server.off('connection', listener).on('connection', hold)
  return (register) => {
    server.off('connection', hold).on('connection', listener)
    register()
    for (const socket of early.splice(0)) if (!socket.destroyed) server.emit('connection', socket)
  }
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
  setHost(request, host)
  return true
}

/** Also in the headers that are passed on. */
function setHost(request: IncomingMessage, host: string): void {
  request.headers.host = host
  const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && /^host$/i.test(name))
  if (at === -1) request.rawHeaders.push('Host', host)
  else request.rawHeaders[at + 1] = host
}

function rejectRequest(response: ServerResponse, error: string): void {
  const body = JSON.stringify({ error })
  response.shouldKeepAlive = false
  response
    .writeHead(400, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
    .end(body)
}
