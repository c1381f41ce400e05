/* Responds to plain `GET /{code}` at the socket, before node:http; everything else is passed on (links/redirector.ts). */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { STATUS_CODES } from '../net/node-http.ts'
import type { Turns } from '../work/turns.ts'
import { type PlainRequest, readPlainRequest } from './front/plain-request.ts'
import type { Redirect, Target } from './links/decide.ts'
import { isRedirect, redirectHeaders, varyOf } from './links/plain-visits.ts'
import type { RedirectDeps } from './links/redirector.ts'
import type { Notice } from './notices/notices.ts'
import { MAX_OUTSTANDING, type TakeConnections } from './site.ts'

interface FrontDeps extends RedirectDeps {
  /** Wall clock. */
  readonly now: () => number
  /** Called with every response that is not a redirect. */
  readonly noted?: ((operation: string, status: number, address: () => string) => void) | undefined
}

const SWEEP_MS = 2_000
/** A connection without a request is passed to node:http after this many sweeps, and gets its timeout for headers. */
const SILENT_SWEEPS = 1

/**
 * Avoids node:http, whose work per request exceeds everything else that a redirect needs. Anything but a complete, plain
 * `GET` of a short link is passed to node:http on the same connection, byte for byte, with everything that follows. So only
 * one parser decides what an unusual request means.
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
  /** node:http needs longer per request than a redirect here, so connections are passed on a few at a time. */
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

  /** Replaces node:http's own listener, and closes connections together with those of node:http. */
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
      // node:http handles bytes after a request that closes the connection.
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

  /** Returns false if the link needs more than a redirect; node:http then handles it. */
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

  /** Sends responses after the turn's clicks are on disk, those of one connection in one write. */
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
        // A response that cannot be sent must not block the others of its turn.
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

  /** Closes connections that were idle for the keep-alive timeout. */
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

/**
 * The state of a connection:
 * - `reading`: the front reads requests.
 * - `waiting`: a look-up is running; what the client sends meanwhile stays in the socket's buffer.
 * - `held`: earlier responses have to be sent first.
 * - `closing`: the last response is queued; nothing more is read.
 * - `leaving`: node:http gets the connection when the queued responses are written.
 */
type ConnectionState = 'reading' | 'waiting' | 'held' | 'closing' | 'leaving'

/** The front's handlers for the events of a connection. */
interface ConnectionEvents {
  read(connection: Connection, chunk: Buffer): void
  ended(connection: Connection): void
  drained(connection: Connection): void
  closed(connection: Connection): void
}

/** A connection that the front handles. */
class Connection {
  readonly socket: Socket
  state: ConnectionState = 'reading'
  /** Responses queued in this turn of the event loop. */
  unsent = ''
  /** Number of queued responses. */
  outstanding = 0
  /** The client has sent its last byte. */
  hasEnded = false
  hasAsked = false
  /** Number of the sweep before which the connection was last active. */
  activeAtSweep = 0
  readonly #events: ConnectionEvents

  constructor(socket: Socket, events: ConnectionEvents) {
    this.socket = socket
    this.#events = events
    socket.on('data', this.#onData).on('end', this.#onEnd).on('drain', this.#onDrain)
    socket.on('close', this.#onClose).on('error', ignore)
  }

  /** Removes the front's listeners from the socket. */
  detach(): void {
    const { socket } = this
    socket.off('data', this.#onData).off('end', this.#onEnd).off('drain', this.#onDrain)
    socket.off('close', this.#onClose).off('error', ignore)
  }

  /** Stops reading; unused bytes are put back into the socket, before all later ones. */
  hold(state: ConnectionState, unused?: Buffer): void {
    this.state = state
    this.socket.pause()
    // Immediately instead of in `readOn`: a socket with buffered bytes does not report its end yet.
    if (unused !== undefined && unused.length > 0) this.socket.unshift(unused)
  }

  readOn(): void {
    this.state = 'reading'
    this.socket.resume()
  }

  readonly #onData = (chunk: Buffer): void => this.#events.read(this, chunk)
  readonly #onEnd = (): void => this.#events.ended(this)
  readonly #onDrain = (): void => this.#events.drained(this)
  readonly #onClose = (): void => this.#events.closed(this)
}

/** A reset connection is closed; nothing else has to be done. */
function ignore(): void {}

/** The text before and after the destination. */
type Template = readonly [before: string, after: string]

/** A placeholder for the destination in the template of a redirect; headers cannot contain this character. */
const PLACEHOLDER = '\0'

/**
 * Responses in the exact form of node:http, as text of one byte per character. node:http adds the date and the connection
 * headers after those of the response; so does this class.
 */
class ResponseTexts {
  readonly #keepAliveSeconds: number
  readonly #redirects = new Map<number, Template>()
  readonly #notices = new WeakMap<Notice, readonly [head: string, body: string]>()
  #dateS = Number.NaN
  #keepAlive = ''
  #close = ''

  constructor(keepAliveTimeoutMs: number) {
    this.#keepAliveSeconds = Math.floor(keepAliveTimeoutMs / 1000)
  }

  redirect({ target, url }: Redirect, closes: boolean, nowMs: number): string {
    const template =
      target.extras === null ? this.#plain(target.status) : templateOf(target.status, varyOf(target))
    return template[0] + url + template[1] + this.#tail(closes, nowMs)
  }

  #plain(status: number): Template {
    let template = this.#redirects.get(status)
    if (template === undefined) {
      template = templateOf(status, '')
      this.#redirects.set(status, template)
    }
    return template
  }

  notice(notice: Notice, closes: boolean, nowMs: number): string {
    let parts = this.#notices.get(notice)
    if (parts === undefined) {
      parts = [headText(notice.status, notice.headers), notice.body.toString('latin1')]
      this.#notices.set(notice, parts)
    }
    return parts[0] + this.#tail(closes, nowMs) + parts[1]
  }

  /** Computed once a second. */
  #tail(closes: boolean, nowMs: number): string {
    const dateS = Math.floor(nowMs / 1000)
    if (dateS !== this.#dateS) {
      this.#dateS = dateS
      const date = `Date: ${new Date(nowMs).toUTCString()}\r\n`
      this.#keepAlive = `${date}Connection: keep-alive\r\nKeep-Alive: timeout=${this.#keepAliveSeconds}\r\n\r\n`
      this.#close = `${date}Connection: close\r\n\r\n`
    }
    return closes ? this.#close : this.#keepAlive
  }
}

function templateOf(status: number, vary: string): Template {
  const [before = '', after = ''] = headText(status, redirectHeaders(PLACEHOLDER, vary)).split(PLACEHOLDER)
  return [before, after]
}

function headText(status: number, headers: readonly string[]): string {
  let text = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`
  return text
}
