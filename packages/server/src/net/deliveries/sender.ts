import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { TEST_EVENT } from '@waymark/contract'
import { Webhook } from 'standardwebhooks'
import { request as requestHttp } from '../node-http.ts'
import { namesPrivateHost, PrivateAddressError, publicLookup } from '../public-address.ts'

/** One attempt at one delivery. */
export interface Attempt {
  readonly url: string
  /** Identifies the delivery in every attempt, so that receivers can ignore repeats. */
  readonly id: string
  readonly body: string
  readonly secret: string
  /** The previous secret, while it is valid. */
  readonly previousSecret?: string | undefined
  readonly allowPrivate: boolean
  readonly atMs: number
  readonly timeoutMs: number
  /** Aborts the attempt. */
  readonly signal: AbortSignal
}

/** An attempt with the request and the response. */
export interface Exchange extends Outcome {
  readonly headers: Readonly<Record<string, string>>
  readonly response: Received | undefined
}

interface Received {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** The first bytes of the body, as many as requested. */
  readonly body: Buffer
}

/** The connection is closed after this many bytes of the response. */
const READ_BYTES = 64 * 1024

/** Sends a delivery and returns the outcome; throws only if its signal was aborted. */
export async function send(attempt: Attempt): Promise<Outcome> {
  const { status, error } = await exchange(attempt, 0)
  return { status, error }
}

/** Like `send`, but also returns the request and this many bytes of the response. */
export async function exchange(attempt: Attempt, keptBytes: number): Promise<Exchange> {
  const { url, allowPrivate, timeoutMs, signal } = attempt
  const target = new URL(url)
  const headers = headersOf(attempt)
  const without = (outcome: Outcome): Exchange => ({ ...outcome, headers, response: undefined })
  if (!allowPrivate && namesPrivateHost(target)) return without(failed(new PrivateAddressError()))
  const ending = new AbortController()
  const end = (): void => ending.abort()
  // Cleared at the end: AbortSignal.any would keep each attempt in memory until its timeout.
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)
  try {
    const request = open(target, headers, allowPrivate, ending.signal)
    const response = await responseOf(request, attempt.body, ending.signal, keptBytes)
    const { status } = response
    return { status, error: toAppError(status), headers, response }
  } catch (error) {
    signal.throwIfAborted()
    return without(
      ending.signal.aborted
        ? { status: null, error: `No response within ${timeoutMs / 1000} seconds` }
        : failed(error as NodeJS.ErrnoException),
    )
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Signs with every valid secret; a receiver needs one that matches. */
function headersOf({ id, body, secret, previousSecret, atMs }: Attempt): Record<string, string> {
  const at = new Date(atMs)
  const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret]
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'Waymark-Webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(atMs / 1000)),
    'webhook-signature': secrets.map((one) => new Webhook(one).sign(id, at, body)).join(' '),
  }
}

/** Opens a new connection for every attempt, so that each is checked against DNS rebinding. */
function open(
  target: URL,
  headers: Record<string, string>,
  allowPrivate: boolean,
  signal: AbortSignal,
): ClientRequest {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const lookup = allowPrivate ? {} : { lookup: publicLookup() }
  return request(target, { method: 'POST', agent: false, signal, ...lookup, headers })
}

/** The status decides; the body is read briefly, only so that the receiver can finish. */
function responseOf(
  request: ClientRequest,
  body: string,
  ending: AbortSignal,
  keptBytes: number,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    let response: IncomingMessage | undefined
    const kept: Buffer[] = []
    let bytes = 0
    // Late or broken ends do not matter: the status is known.
    const end = (error: unknown): void => {
      if (response === undefined) return reject(error)
      const { statusCode: status = 0, headers } = response
      resolve({ status, headers, body: Buffer.concat(kept).subarray(0, keptBytes) })
    }
    request.on('error', end)
    // A receiver that causes no event at all must not occupy its slot forever.
    ending.addEventListener('abort', () => end(ending.reason))
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      end(Object.assign(new Error('upgraded'), { code: 'ECONNRESET' }))
    })
    request.on('response', (incoming: IncomingMessage) => {
      response = incoming
      incoming.on('data', (chunk: Buffer) => {
        if (bytes < keptBytes) kept.push(chunk)
        bytes += chunk.length
        if (bytes > READ_BYTES) incoming.destroy()
      })
      incoming.on('error', end)
      incoming.on('close', end)
    })
    request.end(body)
  })
}

const toAppError = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver returned ${status}; redirects are not followed`
    : `The receiver returned ${status}`
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The name could not be resolved',
  ENODATA: 'The name could not be resolved',
  ESERVFAIL: 'The name could not be resolved',
  ETIMEOUT: 'The name could not be resolved',
  EAI_AGAIN: 'The name could not be resolved',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before a response arrived',
  EHOSTUNREACH: 'The host could not be reached',
  ENETUNREACH: 'The host could not be reached',
}

/** A sentence that people can act on, or the error code if there is none, for example for certificates. */
const failed = (error: NodeJS.ErrnoException): Outcome => ({
  status: null,
  error:
    error instanceof PrivateAddressError
      ? error.message
      : (sentences[error.code ?? ''] ?? `The request failed (${error.code ?? error.name})`),
})

/** The outcome of one attempt. */
export interface Outcome {
  /** Status of the response; null if there was none. */
  readonly status: number | null
  /** Why it does not count as delivered. */
  readonly error: string | null
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A receiver must respond within this time. */
export const TIMEOUT_MS = 10_000

/** How long to wait after each failure. After one failure more, the delivery is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
]

/** A receiver to which nothing could be delivered for this long is disabled. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR

/** How long to wait before the next attempt; undefined: no further attempt. A test is not retried automatically. */
export function retryDelayMs(type: string, attempts: number): number | undefined {
  return type === TEST_EVENT ? undefined : RETRY_DELAYS_MS[attempts - 1]
}
