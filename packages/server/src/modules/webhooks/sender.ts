import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { Webhook } from 'standardwebhooks'
import { namesPrivateHost, PrivateAddressError, publicLookup } from '../../runtime/public-address.ts'
import type { Outcome } from './retries.ts'

/** One attempt at one delivery. */
export interface Attempt {
  readonly url: string
  /** Names the delivery in every attempt, so that a receiver knows one that it has had already. */
  readonly id: string
  readonly body: string
  readonly secret: string
  readonly allowPrivate: boolean
  readonly atMs: number
  readonly timeoutMs: number
  /** Ends it before its time. */
  readonly signal: AbortSignal
}

/** A receiver that says much says it to nobody; the connection is closed once it has said this much. */
const READ_BYTES = 64 * 1024

/** Sends a delivery and tells what came of it; fails only when it was ended by its signal. */
export async function send(attempt: Attempt): Promise<Outcome> {
  const { url, allowPrivate, timeoutMs, signal } = attempt
  const target = new URL(url)
  if (!allowPrivate && namesPrivateHost(target)) return failed(new PrivateAddressError())
  const ending = new AbortController()
  const end = (): void => ending.abort()
  // Taken back at the end, since a signal that combines others would keep each attempt in memory until its time is up.
  const timer = setTimeout(end, timeoutMs)
  signal.addEventListener('abort', end)
  try {
    const status = await statusOf(open(target, attempt, ending.signal), attempt.body, ending.signal)
    return { status, error: toAppError(status) }
  } catch (error) {
    signal.throwIfAborted()
    return ending.signal.aborted
      ? { status: null, error: `No answer within ${timeoutMs / 1000} seconds` }
      : failed(error as NodeJS.ErrnoException)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** A connection of its own for every attempt: each is held to the rule about addresses anew. */
function open(target: URL, attempt: Attempt, signal: AbortSignal): ClientRequest {
  const request = target.protocol === 'https:' ? requestHttps : requestHttp
  const at = new Date(attempt.atMs)
  return request(target, {
    method: 'POST',
    agent: false,
    signal,
    ...(!attempt.allowPrivate && { lookup: publicLookup() }),
    headers: {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(attempt.body),
      'user-agent': 'Waymark-Webhooks/1',
      'webhook-id': attempt.id,
      'webhook-timestamp': Math.floor(attempt.atMs / 1000),
      'webhook-signature': new Webhook(attempt.secret).sign(attempt.id, at, attempt.body),
    },
  })
}

/** The status decides; what comes behind it is read only so that the receiver can finish, and not for long. */
function statusOf(request: ClientRequest, body: string, ending: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    let status: number | undefined
    let bytes = 0
    // An end that comes too late or by a broken connection is as good: the status has been said.
    const end = (error: unknown): void => {
      if (status === undefined) reject(error)
      else resolve(status)
    }
    request.on('error', end)
    // Whatever a receiver thinks of that leads to no event at all must not hold its place for ever.
    ending.addEventListener('abort', () => end(ending.reason))
    request.on('upgrade', (_response, socket) => {
      socket.destroy()
      end(Object.assign(new Error('upgraded'), { code: 'ECONNRESET' }))
    })
    request.on('response', (response: IncomingMessage) => {
      status = response.statusCode ?? 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes > READ_BYTES) response.destroy()
      })
      response.on('error', end)
      response.on('close', end)
    })
    request.end(body)
  })
}

const toAppError = (status: number): string | null => {
  if (status >= 200 && status < 300) return null
  return status >= 300 && status < 400
    ? `The receiver answered ${status}; redirects are not followed`
    : `The receiver answered ${status}`
}

const sentences: Record<string, string> = {
  ENOTFOUND: 'The name could not be resolved',
  ENODATA: 'The name could not be resolved',
  ESERVFAIL: 'The name could not be resolved',
  ETIMEOUT: 'The name could not be resolved',
  EAI_AGAIN: 'The name could not be resolved',
  ECONNREFUSED: 'The connection was refused',
  ECONNRESET: 'The connection was closed before an answer came',
  EHOSTUNREACH: 'The host could not be reached',
  ENETUNREACH: 'The host could not be reached',
}

/** What a person can act on, with the code for whatever has no sentence: a certificate, most likely. */
const failed = (error: NodeJS.ErrnoException): Outcome => ({
  status: null,
  error:
    error instanceof PrivateAddressError
      ? error.message
      : (sentences[error.code ?? ''] ?? `The request failed (${error.code ?? error.name})`),
})
