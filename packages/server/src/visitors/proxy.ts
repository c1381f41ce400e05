/* Passes requests that are not the visitors' half's own on to the API half, over a private socket. */
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type Client, CLIENT_HEADER, clientHeader } from '../net/client.ts'
import { discardRest } from '../net/discard-body.ts'
import { Agent, request as send } from '../net/node-http.ts'
import type { PassOn } from './site.ts'

interface ProxyOptions {
  readonly socketPath: string
  readonly clientOf: (request: IncomingMessage) => Client
  /** Called for a request that the API half did not answer. */
  readonly failed?: (request: IncomingMessage, requestId: string) => void
  /** Called before a client learns that the API half has ended, so that nothing outdated is served after it. */
  readonly lost?: () => void
}

export interface Proxy {
  readonly passOn: PassOn
  /** Requests that wait are sent; new ones are sent immediately. */
  up(): void
  /** Requests wait for a moment. */
  down(): void
  readonly isUp: boolean
  /** The API half's response to a GET of this process itself. */
  ask(path: string): Promise<string>
  close(): void
}

const WAIT_MS = 2_000
const MAX_WAITING = 500
/** Between two tries to connect. */
const RETRY_MS = 50
const RETRY_SECONDS = '2'
const DISCARD = { discardBytes: 64 * 1024 * 1024, discardMs: 30_000 }

const RESTARTED = { error: 'The server restarted. Whether this was done is not known' }
const AWAY = { error: 'The server is starting; try again shortly' }

/** Of one connection (RFC 9110, section 7.6.1), and what the API half must not take from a client. */
const NOT_PASSED_ON = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
  CLIENT_HEADER,
])

export function createProxy({ socketPath, clientOf, failed, lost }: ProxyOptions): Proxy {
  // As many connections as requests: a limit would let the slow uploads of one client keep others waiting.
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 64 })
  const waiting = new Set<() => void>()
  let isUp = false

  const fail = (
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    isSent: boolean,
  ): void => {
    lost?.()
    if (response.destroyed) return
    failed?.(request, client.requestId)
    respond(request, response, client, isSent ? 502 : 503)
  }

  const start = (
    request: IncomingMessage,
    response: ServerResponse,
    client: Client,
    untilMs: number,
  ): void => {
    if (response.destroyed) return
    const { method = 'GET', url: path = '/', headers } = request
    const isChunked = headers['transfer-encoding'] !== undefined
    const hasBody = isChunked || (headers['content-length'] ?? '0') !== '0'
    const passed = passedOn(request, client, { hasBody, isChunked })
    const sent = send({ agent, socketPath, method, path, headers: passed, setHost: false })
    const again = (): void => start(request, response, client, untilMs)
    new Exchange(request, response, sent, hasBody, (isSent) => {
      // Nothing was sent: it is starting again.
      if (!isSent && performance.now() < untilMs) setTimeout(again, RETRY_MS)
      else fail(request, response, client, isSent)
    }).begin()
  }

  return {
    passOn(request, response) {
      const client = clientOf(request)
      const untilMs = performance.now() + WAIT_MS
      if (isUp) return start(request, response, client, untilMs)
      if (waiting.size >= MAX_WAITING) {
        failed?.(request, client.requestId)
        return respond(request, response, client, 503)
      }
      const settle = (begin: boolean): void => {
        clearTimeout(timer)
        waiting.delete(proceed)
        response.off('close', forget)
        if (begin) return start(request, response, client, untilMs)
        failed?.(request, client.requestId)
        respond(request, response, client, 503)
      }
      const proceed = (): void => settle(true)
      const forget = (): void => {
        clearTimeout(timer)
        waiting.delete(proceed)
      }
      const timer = setTimeout(() => settle(false), WAIT_MS)
      waiting.add(proceed)
      response.once('close', forget)
    },
    up() {
      isUp = true
      for (const proceed of Array.from(waiting)) proceed()
    },
    down() {
      isUp = false
    },
    get isUp() {
      return isUp
    },
    ask: (path) =>
      new Promise((resolve, reject) => {
        const client = { address: '', requestId: 'visitors' }
        const headers = ['Host', 'localhost', CLIENT_HEADER, clientHeader(client)]
        const sent = send({ agent, socketPath, path, headers, setHost: false })
        sent.on('error', reject)
        sent.on('response', (answer) => void text(answer).then(resolve, reject))
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  client: Client,
  status: 502 | 503,
): void {
  if (response.headersSent || response.destroyed) return
  const body = JSON.stringify(status === 502 ? RESTARTED : AWAY)
  discardRest(request, DISCARD)
  response
    .writeHead(status, {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-content-type-options': 'nosniff',
      'x-request-id': client.requestId,
      ...(status === 503 && { 'retry-after': RETRY_SECONDS }),
    })
    .end(body)
}

/**
 * The headers as the client wrote them, without those of its connection. The body is sent when the API half asks for it, so
 * that a response that does not depend on it is never lost in a broken pipe.
 */
function passedOn(
  { method = '', headers: given, rawHeaders: raw }: IncomingMessage,
  client: Client,
  { hasBody, isChunked }: { readonly hasBody: boolean; readonly isChunked: boolean },
): string[] {
  const named = connectionOptions(given.connection)
  const headers: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    const lower = name.toLowerCase()
    if (!NOT_PASSED_ON.has(lower) && !named.includes(lower)) headers.push(name, value)
  }
  headers.push(CLIENT_HEADER, clientHeader(client))
  if (hasBody) headers.push('Expect', '100-continue')
  if (isChunked) headers.push('Transfer-Encoding', 'chunked')
  // Without a length node:http would announce a body.
  else if (given['content-length'] === undefined && !BODYLESS.has(method)) headers.push('Content-Length', '0')
  return headers
}

const BODYLESS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE'])

/** Headers that a client has declared to be of its connection. Those that frame a message are none, whatever it declares. */
function connectionOptions(connection: string | undefined): readonly string[] {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return []
  const names = connection.split(',').map((name) => name.trim().toLowerCase())
  return names.filter((name) => name !== 'host' && name !== 'content-length')
}

/** One request on its way through. */
class Exchange {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #sent: ClientRequest
  readonly #hasBody: boolean
  readonly #failed: (isSent: boolean) => void
  /** The API half has received something. */
  #isSent = false
  /** The API half has asked for the body. */
  #isAsked = false
  #isAnswered = false
  /** The client has left: no answer is needed. */
  #isLeft = false

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    sent: ClientRequest,
    hasBody: boolean,
    failed: (isSent: boolean) => void,
  ) {
    this.#request = request
    this.#response = response
    this.#sent = sent
    this.#hasBody = hasBody
    this.#failed = failed
  }

  begin(): void {
    const [request, response, sent] = [this.#request, this.#response, this.#sent]
    sent.once('socket', (socket: Socket) => {
      if (socket.connecting) socket.once('connect', () => (this.#isSent = true))
      else this.#isSent = true
    })
    sent.once('response', (answer) => this.#answer(answer))
    sent.once('error', () => this.#fail())
    // Later errors are those of a connection that has been given up.
    sent.on('error', () => undefined)
    response.once('close', () => {
      if (!response.writableFinished) this.#leave()
    })
    if (!this.#hasBody) return void sent.end()
    request.once('error', () => this.#leave())
    request.once('close', () => {
      if (!request.complete) this.#leave()
    })
    sent.once('continue', () => {
      this.#isAsked = true
      request.pipe(sent)
      sent.once('close', () => this.#cutOff())
    })
    sent.flushHeaders()
  }

  #leave(): void {
    this.#isLeft = true
    this.#sent.destroy()
  }

  #fail(): void {
    if (this.#isLeft || this.#isAnswered) return
    this.#request.unpipe(this.#sent)
    this.#failed(this.#isSent)
  }

  /** The API half has closed its connection: it does not want the rest of a body that it has rejected. */
  #cutOff(): void {
    const [request, response] = [this.#request, this.#response]
    if (!this.#isAnswered || request.complete) return
    request.unpipe(this.#sent)
    if (response.writableFinished) request.destroy()
    else response.once('finish', () => request.destroy())
  }

  #answer(answer: IncomingMessage): void {
    this.#isAnswered = true
    const response = this.#response
    if (response.destroyed) return void answer.destroy()
    // It closes the connection to a client that it does not want to hear more of. If it has not asked for a body, this is
    // about the private connection alone.
    const isOfClient = this.#isAsked || !this.#hasBody
    if (isOfClient && /\bclose\b/i.test(answer.headers.connection ?? '')) response.shouldKeepAlive = false
    response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', answered(answer.rawHeaders))
    // A stream may begin long after its headers.
    if (answer.headers['content-length'] === undefined) response.flushHeaders()
    if (this.#hasBody && !this.#isAsked) this.#discardBody()
    if (this.#isAsked) answer.once('end', () => this.#discardRest())
    answer.once('error', () => response.destroy())
    answer.once('close', () => {
      if (!answer.complete) response.destroy()
    })
    answer.pipe(response)
  }

  /** The API half needs no more of the body; and after its response node:http no longer says when it can be sent more. */
  #discardRest(): void {
    const [request, sent] = [this.#request, this.#sent]
    if (request.readableEnded) return
    request.unpipe(sent)
    discardRest(request, DISCARD)
    request.once('end', () => sent.destroy())
  }

  /** The API half has answered without its body, which is not sent to it. */
  #discardBody(): void {
    discardRest(this.#request, DISCARD)
    this.#response.once('finish', () => this.#leave())
  }
}

const OF_CONNECTION = new Set(['connection', 'keep-alive', 'transfer-encoding'])

function answered(raw: readonly string[]): string[] {
  const headers: string[] = []
  for (let at = 0; at < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]]
    if (!OF_CONNECTION.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}
