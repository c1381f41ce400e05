import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { busy } from '../net/admission/gate.ts'
import { addressBucket, type AddressReader } from '../net/client-address.ts'
import type { AppError } from '../net/errors.ts'
import { logAppError, toAppError } from './app-errors.ts'
import { BODY_LIMITS } from './body/body-limits.ts'
import { discardRest } from './body/read-body.ts'
import { type RateLimits, RateMeter } from './steps/rate-limit.ts'
import type { Reply } from './routes.ts'

interface ResponseDependencies {
  readonly limits: RateLimits
  readonly rates: { readonly read: number; readonly write: number }
  readonly cors: Cors
  readonly addressOf: AddressReader
  readonly log: Logger
}

/** The part of a Fastify request that responses depend on. */
interface Requested {
  readonly raw: IncomingMessage
  readonly id: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
}

/** The part of a Fastify reply that is used to respond without Fastify. */
interface Written {
  readonly raw: ServerResponse
  getHeaders(): object
  hijack(): unknown
}

/** Writes every response under `/v1`, with their common headers. */
export class Responses {
  readonly #deps: ResponseDependencies
  readonly #unsent = new UnsentBytes()

  constructor(deps: ResponseDependencies) {
    this.#deps = deps
  }

  write<To extends Written>(request: Requested, reply: To, made: Reply, meter: RateMeter): To {
    const { response, body } = this.#within(request, reply, made)
    // The rest of the body is discarded, so that a client that is still sending gets the response.
    discardRest(request.raw, BODY_LIMITS)
    // Bypasses Fastify, which would add a charset to text, and sends text in one piece with its headers.
    const known = reply.getHeaders() as OutgoingHttpHeaders
    // The new token of a session is on the reply already; a handler may add cookies to it.
    const cookies = [known['set-cookie'] ?? [], response.headers?.['set-cookie'] ?? []].flat()
    reply.raw.writeHead(response.status, {
      'cache-control': 'no-cache, private',
      'content-type': 'application/json',
      ...(!(body instanceof Readable) && { 'content-length': Buffer.byteLength(body) }),
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
      ...meter.headers,
      ...this.#deps.cors.headersFor(request.headers.origin),
      ...known,
      ...response.headers,
      ...(cookies.length > 0 && { 'set-cookie': cookies }),
    })
    reply.hijack()
    if (body instanceof Readable) this.#stream(request, reply, body)
    else reply.raw.end(body)
    return reply
  }

  /** The response, or 503 if its client has too many unread ones. Responses to writes are always sent, as they have run. */
  #within(request: Requested, reply: Written, response: Reply) {
    const body = bodyOf(response)
    const bytes =
      body instanceof Readable ? Number(response.headers?.['content-length'] ?? 0) : Buffer.byteLength(body)
    if (bytes < COUNTED_BYTES) return { response, body }
    const address = addressBucket(this.#deps.addressOf(request.raw))
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || this.#unsent.hasRoom(address, bytes)) {
      this.#unsent.hold(address, bytes, reply.raw)
      return { response, body }
    }
    if (body instanceof Readable) body.destroy()
    const { status, body: payload, headers } = busy()
    const rejection: Reply = { status, payload: Buffer.from(JSON.stringify(payload)), headers }
    return { response: rejection, body: bodyOf(rejection) }
  }

  #stream(request: Requested, reply: Written, body: Readable): void {
    // `pipeline` throws if the client has left meanwhile, and would leave the source open.
    if (request.method === 'HEAD' || reply.raw.destroyed) {
      body.destroy()
      reply.raw.end()
      return
    }
    pipeline(body, reply.raw, (error) => {
      // A client that disconnects is not an error. It is too late for an error response: the connection closes before the
      // response ends, which clients notice.
      if (error && error.code !== 'ERR_STREAM_PREMATURE_CLOSE')
        logAppError(toAppError(error), this.#deps.log, request.id)
    })
  }

  async reject<To extends Written>(
    request: Requested,
    reply: To,
    rejection: AppError,
    known?: RateMeter,
  ): Promise<To> {
    const { limits, log } = this.#deps
    logAppError(rejection, log, request.id)
    const meter = known ?? new RateMeter(limits)
    const { status, body, headers } = meter.counted
      ? rejection
      : await this.#countAddress(request, meter, rejection)
    const payload = Buffer.from(JSON.stringify(body))
    return this.write(request, reply, { status, payload, headers }, meter)
  }

  /** Without an authenticated caller the request counts against the address; 429 above its limit. */
  #countAddress(request: Requested, meter: RateMeter, rejection: AppError): Promise<AppError> {
    const { addressOf, rates } = this.#deps
    const write = request.method !== 'GET' && request.method !== 'HEAD'
    const bucket = `address:${addressBucket(addressOf(request.raw))}:${write ? 'POST' : 'GET'}`
    const counted = meter.take(bucket, write ? rates.write : rates.read)
    return counted.then(() => rejection).catch(toAppError)
  }
}

const bodyOf = ({ payload }: Reply): string | Buffer | Readable =>
  Buffer.isBuffer(payload) || payload instanceof Readable ? payload : JSON.stringify(payload)

const MIB = 1024 * 1024

interface UnsentRules {
  /** For all responses of this process together. */
  readonly totalBytes: number
  /** For responses to one address. */
  readonly shareBytes: number
}

/** Eight of the longest lists for one address, and as much again for each of three others. */
const RULES: UnsentRules = { totalBytes: 128 * MIB, shareBytes: 32 * MIB }
/** Shorter responses are not counted: those of one connection are at most 128 KiB together. */
const COUNTED_BYTES = 4 * 1024

/**
 * One budget for responses that are in memory until their clients have read them. Without it a few hundred connections that
 * request lists and read nothing would fill the memory.
 */
export class UnsentBytes {
  readonly #rules: UnsentRules
  readonly #held = new Map<string, number>()
  #total = 0

  constructor(rules: UnsentRules = RULES) {
    this.#rules = rules
  }

  /** Whether there is room for this many bytes more. A response above the limits fits if it is the only one. */
  hasRoom(address: string, bytes: number): boolean {
    const { totalBytes, shareBytes } = this.#rules
    const held = this.#held.get(address) ?? 0
    const isWithinShare = held === 0 || held + bytes <= shareBytes
    return isWithinShare && (this.#total === 0 || this.#total + bytes <= totalBytes)
  }

  /** Counts a response until it is sent or its connection has ended. */
  hold(address: string, bytes: number, response: ServerResponse): void {
    this.#count(address, bytes)
    response.once('close', () => this.#count(address, -bytes))
  }

  #count(address: string, bytes: number): void {
    this.#total += bytes
    const held = (this.#held.get(address) ?? 0) + bytes
    if (held === 0) this.#held.delete(address)
    else this.#held.set(address, held)
  }
}

const EXPOSED = 'x-ratelimit-limit, x-ratelimit-remaining, x-request-id, retry-after, idempotent-replayed'
const VARY = { vary: 'Origin' }
const TAKEN =
  'Content-Type, Accept, X-API-KEY, X-SIGNATURE, X-TIMESTAMP, Idempotency-Key, If-Match, Prefer, Authorization, X-WORKSPACE'

/** Allows the configured origins to read responses. OPTIONS needs no credentials. */
export const createCors = (origins: readonly string[]) => {
  const allowed = new Set(origins)
  return {
    /** The headers of every response. It varies by Origin, whether that is allowed or not. */
    headersFor(origin: string | undefined): Record<string, string> {
      if (origin === undefined || !allowed.has(origin)) return VARY
      return { ...VARY, 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED }
    },
    /** Responds to a preflight for a path with these methods. */
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
