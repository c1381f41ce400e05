import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressBucket, plainAddress } from '../net/client-address.ts'
import { STATUS_CODES } from '../net/node-http.ts'
import { MAX_OUTSTANDING } from '../visitors/site.ts'
import type { Turns } from '../work/turns.ts'

type OnConnection = (socket: Socket) => void

/**
 * Closes connections of an address that has too many open. Wraps the existing listeners, which do not see connections that
 * are closed immediately.
 */
export function limitConnections(
  server: Server,
  limit: number,
  isExempt: (address: string) => boolean,
): void {
  const listeners = server.listeners('connection') as OnConnection[]
  server.removeAllListeners('connection')
  const open = new Map<string, number>()
  const release = (bucket: string): void => {
    const left = (open.get(bucket) ?? 1) - 1
    if (left === 0) open.delete(bucket)
    else open.set(bucket, left)
  }
  server.on('connection', (socket: Socket) => {
    const address = plainAddress(socket.remoteAddress)
    if (!isExempt(address)) {
      const bucket = addressBucket(address)
      const count = (open.get(bucket) ?? 0) + 1
      if (count > limit) {
        socket.destroy()
        return
      }
      open.set(bucket, count)
      socket.once('close', () => release(bucket))
    }
    for (const listener of listeners) listener.call(server, socket)
  })
}

interface ReaderRules {
  readonly sweepMs?: number
  /** A client that reads nothing for this long is disconnected. */
  readonly timeoutMs?: number
  /** One that reads less than this is also disconnected, after its allowance is used up. */
  readonly bytesPerSecond?: number
}

/** Node's counters of a connection: bytes passed to the system, and bytes that the system has not accepted yet. */
interface CountingSocket extends Socket {
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null
}

const takenBytes = ({ _handle }: CountingSocket): number =>
  (_handle?.bytesWritten ?? 0) - (_handle?.writeQueueSize ?? 0)

/**
 * Disconnects clients that do not read their responses, or read too slowly. A connection has an allowance of 30 seconds, and
 * regains one for each KiB that it reads; while nothing waits to be sent, it has the full allowance.
 */
export function cutOffSlowReaders(
  server: Server,
  { sweepMs = 2_000, timeoutMs = 30_000, bytesPerSecond = 1_024 }: ReaderRules = {},
): void {
  const readers = new Map<Socket, { taken: number; leftMs: number }>()
  server.on('connection', (socket: Socket) => {
    readers.set(socket, { taken: 0, leftMs: timeoutMs })
    socket.once('close', () => readers.delete(socket))
  })
  const sweep = (): void => {
    for (const [socket, reader] of readers) {
      const taken = takenBytes(socket)
      const earnedMs = ((taken - reader.taken) * 1_000) / bytesPerSecond
      reader.taken = taken
      reader.leftMs =
        socket.writableLength === 0 ? timeoutMs : Math.min(timeoutMs, reader.leftMs + earnedMs - sweepMs)
      if (reader.leftMs <= 0) socket.destroy()
    }
  }
  const sweeping = setInterval(sweep, sweepMs).unref()
  server.once('close', () => clearInterval(sweeping))
}

/** Properties that node:http sets on a socket. */
interface HttpSocket extends Socket {
  /** Paused until responses have been sent. */
  readonly _paused?: boolean
  /** Undefined or null: node:http no longer handles this connection. */
  readonly parser?: unknown
}

const HEAD_END = '\n\r\n'
/** `GET / HTTP/1.0` and two line ends: the shortest request. */
const MIN_REQUEST_BYTES = 18

/**
 * Pauses reading from connections with 32 requests that have no response yet, until half of them have one. node:http creates
 * objects for all requests in a chunk, thousands of them, and pauses only for unsent responses. Data after a connection's
 * first requests is parsed in turns: redirects and notices are sent as soon as their request is parsed, so that a chunk of
 * them would block the event loop. Returns a function to call with every request.
 */
export function limitPipelining(
  server: Server,
  turns: Pick<Turns, 'start'>,
): (request: IncomingMessage, response: ServerResponse) => void {
  const [listener] = server.listeners('connection') as OnConnection[]
  if (listener === undefined) throw new Error('The server does not listen for connections')
  server.off('connection', listener)
  const pipelines = new WeakMap<Socket, Pipeline>()
  server.on('connection', (socket: Socket) => {
    listener.call(server, socket)
    pipelines.set(socket, new Pipeline(socket, turns))
  })
  server.on('clientError', (_error, socket) => pipelines.get(socket as Socket)?.stop())
  return ({ socket }, response) => pipelines.get(socket)?.begin(response)
}

/** Sits between a socket and the parser of node:http, and limits how many requests the parser gets. */
class Pipeline {
  readonly #socket: HttpSocket
  readonly #turns: Pick<Turns, 'start'>
  readonly #parse: (bytes: Buffer) => void
  #outstanding = 0
  #isFull = false
  #isStopped = false
  /** Requests since the last turn of this connection. */
  #begun = 0
  /** Buffered bytes wait for a turn, even if node:http resumes the socket because it has drained. */
  #hasRest = false
  #isWaiting = false

  constructor(socket: Socket, turns: Pick<Turns, 'start'>) {
    this.#socket = socket
    this.#turns = turns
    const [parse] = socket.listeners('data') as ((bytes: Buffer) => void)[]
    if (parse === undefined) throw new Error('node:http does not read from the connection')
    this.#parse = parse
    // With a second listener node:http no longer reads directly from the handle, bypassing the socket's events.
    socket.on('data', this.#feed)
    socket.off('data', parse)
  }

  begin(response: ServerResponse): void {
    this.#outstanding++
    this.#begun++
    response.once('close', this.#end)
  }

  /** The bytes are not a request. Later ones are dropped, because the parser would report each piece of them. */
  stop(): void {
    this.#isStopped = true
  }

  readonly #end = (): void => {
    this.#outstanding--
    if (!this.#isFull || this.#outstanding > MAX_OUTSTANDING / 2) return
    this.#isFull = false
    this.#readOn()
  }

  readonly #feed = (chunk: Buffer): void => {
    if (!this.#isUseful()) return
    const mustWait = this.#hasRest || this.#begun >= MAX_OUTSTANDING
    let end = 0
    if (!mustWait && this.#isReading()) {
      end = endOfRequests(chunk, MAX_OUTSTANDING - this.#outstanding)
      this.#parse(end === chunk.length ? chunk : chunk.subarray(0, end))
      this.#isFull = this.#outstanding >= MAX_OUTSTANDING
    }
    if (end === chunk.length || !this.#isUseful()) return
    const isReading = this.#isReading()
    this.#hasRest = true
    this.#socket.pause()
    this.#socket.unshift(chunk.subarray(end))
    if (isReading) this.#readOn()
  }

  /** False: the code that has paused the connection resumes it. */
  #isReading(): boolean {
    return !this.#isFull && this.#socket._paused !== true && !this.#socket.isPaused()
  }

  #readOn(): void {
    if (this.#isWaiting) return
    this.#isWaiting = true
    this.#turns.start(() => {
      this.#begun = 0
      this.#hasRest = this.#isWaiting = false
      this.#socket.resume()
    })
  }

  #isUseful(): boolean {
    return !this.#isStopped && !this.#socket.destroyed && Boolean(this.#socket.parser)
  }
}

/** The end of a prefix that contains at most this many requests. */
function endOfRequests(bytes: Buffer, most: number): number {
  let end = 0
  for (let heads = 0; heads < most; heads++) {
    const found = bytes.indexOf(HEAD_END, end, 'latin1')
    if (found === -1) return bytes.length
    end = found + HEAD_END.length
  }
  // A body can consist of blank lines.
  return Math.min(bytes.length, Math.max(end, most * MIN_REQUEST_BYTES))
}

const STATUS_OF: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

/** How long to wait for the response to a request with a malformed body. */
const OWN_RESPONSE_MS = 1_000

const rejected = new WeakSet<Socket>()

/**
 * Rejects bytes that are not an HTTP request, and closes the connection. Earlier requests get their responses first, because
 * they have already run and their clicks are counted.
 */
export function rejectBytes(error: Error & { readonly code?: string }, socket: Socket): void {
  // The parser reports every further chunk as well.
  if (rejected.has(socket)) return
  rejected.add(socket)
  afterResponses(socket, () => {
    if (socket.writable) socket.write(responseText(STATUS_OF[error.code ?? ''] ?? 400))
    socket.destroy()
  })
}

/** node:http stores the response that is being sent on the socket, and the next one after it has been sent. */
function afterResponses(
  socket: Socket & { readonly _httpMessage?: ServerResponse | null },
  then: () => void,
): void {
  const response = socket._httpMessage
  if (socket.destroyed || !response) return then()
  if (response.req.complete) {
    response.once('close', () => afterResponses(socket, then))
    return
  }
  // The response to the malformed request itself may not depend on its body, or may wait for it in vain.
  const timer = setTimeout(then, OWN_RESPONSE_MS)
  response.once('close', () => {
    clearTimeout(timer)
    then()
  })
}

function responseText(status: number): string {
  const body = JSON.stringify({ error: STATUS_CODES[status] })
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json\r\n` +
    `content-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
  )
}
