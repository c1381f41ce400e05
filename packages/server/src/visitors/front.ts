/* Answers plain `GET /{code}` at the socket, before node:http; everything else goes on to it (links/redirector.ts). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Connection, type ConnectionEvents } from './front/connection.ts'
import { type PlainRequest, readPlainRequest } from './front/plain-request.ts'
import { ResponseTexts } from './front/response-text.ts'
import type { Target } from './links/decide.ts'
import type { Turns } from '../work/turns.ts'
import { isRedirect } from './links/plain-visits.ts'
import type { RedirectDeps } from './links/redirector.ts'
import type { Notice } from './notices/notices.ts'
import { MAX_OUTSTANDING, type TakeConnections } from './site.ts'

export interface FrontDeps extends RedirectDeps {
  /** Wall clock. */
  readonly now: () => number
  /** Called with every response that is not a redirect. */
  readonly noted?: ((operation: string, status: number, address: () => string) => void) | undefined
}

const SWEEP_MS = 2_000
/** node:http gets a connection without a request after so many sweeps, and with it the timeout for headers. */
const SILENT_SWEEPS = 1

/**
 * Without node:http, whose work per request is more than everything else that a redirect needs. Anything but a whole,
 * plain `GET` of a short link goes to node:http on the same connection, byte for byte, together with all that follows.
 * So only one parser decides what an unusual request means.
 */
export function createFront(deps: FrontDeps): TakeConnections {
  return (server, isClosing, starts) => new Front(deps, server, isClosing, starts).open()
}

class Front implements ConnectionEvents {
  readonly #deps: FrontDeps
  readonly #server: Server
  readonly #isClosing: () => boolean
  readonly #texts: ResponseTexts
  readonly #connections = new Set<Connection>()
  readonly #deliver = (): void => this.#send()
  /** node:http takes longer to begin a request than this front to answer one, so connections go there in turns. */
  readonly #starts: Turns
  #toHttp: (socket: Socket) => void = () => undefined
  #outgoing: Connection[] = []
  #sweeps = 0

  constructor(deps: FrontDeps, server: Server, isClosing: () => boolean, starts: Turns) {
    this.#deps = deps
    this.#server = server
    this.#isClosing = isClosing
    this.#starts = starts
    this.#texts = new ResponseTexts(server.keepAliveTimeout)
  }

  /** Takes the place of node:http's own listener, and closes its connections together with those of node:http. */
  open(): void {
    const server = this.#server
    const [listener] = server.listeners('connection') as ((socket: Socket) => void)[]
    if (listener === undefined) throw new Error('The server does not listen for connections')
    server.off('connection', listener)
    this.#toHttp = (socket) => listener.call(server, socket)
    server.on('connection', (socket: Socket) => this.#accept(socket))
    const closeIdle = server.closeIdleConnections.bind(server)
    server.closeIdleConnections = () => {
      closeIdle()
      for (const connection of this.#connections) if (isIdle(connection)) connection.socket.destroy()
    }
    const closeAll = server.closeAllConnections.bind(server)
    server.closeAllConnections = () => {
      closeAll()
      for (const { socket } of this.#connections) socket.destroy()
    }
    const sweeping = setInterval(() => this.#sweep(), SWEEP_MS).unref()
    server.once('close', () => clearInterval(sweeping))
  }

  read(connection: Connection, chunk: Buffer): void {
    connection.hasAsked = true
    connection.activeAtSweep = this.#sweeps
    const text = chunk.toString('latin1')
    let at = 0
    while (connection.state === 'reading' && at < text.length) {
      const request = readPlainRequest(chunk, text, at)
      // What follows a request to close the connection is for node:http to judge.
      if (request === null || (request.closes && request.end < text.length))
        return this.#leave(connection, chunk.subarray(at))
      this.#answer(connection, request, chunk, at)
      at = request.end
    }
    if (connection.state === 'held') connection.hold('held', chunk.subarray(at))
  }

  ended(connection: Connection): void {
    connection.hasEnded = true
    if (connection.state === 'reading' && connection.unsent === '') connection.socket.end()
  }

  drained(connection: Connection): void {
    connection.activeAtSweep = this.#sweeps
    if (connection.state === 'held') connection.readOn()
  }

  closed(connection: Connection): void {
    this.#connections.delete(connection)
  }

  #accept(socket: Socket): void {
    const connection = new Connection(socket, this)
    connection.activeAtSweep = this.#sweeps
    this.#connections.add(connection)
  }

  #answer(connection: Connection, request: PlainRequest, chunk: Buffer, start: number): void {
    const { targets, isRouted, domainOf } = this.#deps
    const domain = domainOf(request.headers.host)
    const known = targets.known(domain, request.shortCode)
    if (known !== undefined) {
      if (!this.#respond(connection, request, domain, known)) this.#leave(connection, chunk.subarray(start))
    } else if (isRouted(request.shortCode)) {
      this.#leave(connection, chunk.subarray(start))
    } else {
      this.#lookUp(connection, request, domain, chunk, start)
    }
  }

  /** SQLite calls back before `ask` returns; PostgreSQL later, and until then the connection waits. */
  #lookUp(connection: Connection, request: PlainRequest, domain: string, chunk: Buffer, start: number): void {
    let isLater = false
    let isFound = false
    this.#deps.targets.ask(domain, request.shortCode, (error, target) => {
      isFound = true
      if (connection.socket.destroyed) return
      if (isLater) connection.state = 'reading'
      const { visits } = this.#deps
      if (error !== null) this.#notify(connection, request, visits.unavailable(domain, request.headers))
      else if (!this.#respond(connection, request, domain, target))
        this.#leave(connection, chunk.subarray(start, isLater ? request.end : undefined))
      if (isLater && connection.state === 'reading') connection.readOn()
    })
    if (isFound) return
    isLater = true
    connection.hold('waiting', chunk.subarray(request.end))
  }

  /** False: the link needs more than a redirect, which is done by the path through node:http. */
  #respond(connection: Connection, request: PlainRequest, domain: string, target: Target | null): boolean {
    const { visits, addressOf, now } = this.#deps
    const { headers, query, rest } = request
    const visitor = { headers, query, rest, address: addressOf({ socket: connection.socket, headers }) }
    const given = visits.answer(target, { domain, headers, visitor, isHead: false })
    if (given === undefined) return false
    if (isRedirect(given)) {
      const closes = request.closes || this.#isClosing()
      this.#queue(connection, this.#texts.redirect(given, closes, now()), closes)
    } else {
      this.#notify(connection, request, given)
    }
    return true
  }

  #notify(connection: Connection, request: PlainRequest, notice: Notice): void {
    const { addressOf, now } = this.#deps
    const { headers } = request
    const closes = request.closes || this.#isClosing()
    const { socket } = connection
    this.#deps.noted?.('visit', notice.status, () => addressOf({ socket, headers }))
    this.#queue(connection, this.#texts.notice(notice, closes, now()), closes)
  }

  /** Responses go out after the turn's clicks are on disk, those of one connection in one write. */
  #queue(connection: Connection, text: string, closes: boolean): void {
    if (connection.unsent === '') {
      if (this.#outgoing.length === 0) this.#deps.clicks.afterWrite(this.#deliver)
      this.#outgoing.push(connection)
    }
    connection.unsent += text
    if (closes) connection.hold('closing')
    else if (++connection.outstanding >= MAX_OUTSTANDING) connection.state = 'held'
  }

  #send(): void {
    const outgoing = this.#outgoing
    this.#outgoing = []
    for (const connection of outgoing) {
      try {
        this.#write(connection)
      } catch {
        // One response that cannot be sent must not block the others of its turn.
        connection.socket.destroy()
      }
    }
  }

  #write(connection: Connection): void {
    const { socket, unsent } = connection
    connection.unsent = ''
    connection.outstanding = 0
    if (socket.destroyed) return
    const hasRoom = socket.write(unsent, 'latin1')
    if (connection.state === 'closing') socket.destroySoon()
    else if (connection.state === 'leaving') this.#handOver(connection)
    else if (connection.hasEnded) socket.end()
    else if (connection.state === 'held' && hasRoom) connection.readOn()
    else if (connection.state === 'reading' && !hasRoom) connection.hold('held')
  }

  #leave(connection: Connection, bytes: Buffer): void {
    connection.hold('leaving', bytes)
    if (connection.unsent === '') this.#handOver(connection)
  }

  #handOver(connection: Connection): void {
    this.#starts.start(() => this.#passToHttp(connection))
  }

  #passToHttp(connection: Connection): void {
    const { socket } = connection
    if (socket.destroyed) return
    this.#connections.delete(connection)
    connection.detach()
    this.#toHttp(socket)
    socket.resume()
  }

  /** Closes connections that were idle for as long as the server keeps them alive. */
  #sweep(): void {
    const { keepAliveTimeout, keepAliveTimeoutBuffer } = this.#server
    const limitMs = keepAliveTimeout + keepAliveTimeoutBuffer
    this.#sweeps++
    for (const connection of this.#connections) {
      const sweeps = this.#sweeps - connection.activeAtSweep
      if (connection.state === 'leaving') continue
      if (!connection.hasAsked && sweeps > SILENT_SWEEPS) this.#leave(connection, NO_BYTES)
      else if (isIdle(connection) && (sweeps - 1) * SWEEP_MS >= limitMs) connection.socket.destroy()
    }
  }
}

const NO_BYTES = Buffer.alloc(0)

function isIdle({ state, unsent, socket }: Connection): boolean {
  return state === 'reading' && unsent === '' && socket.writableLength === 0
}
