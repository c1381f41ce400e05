import type { CallOptions } from './call-options.ts'
import { ConnectionError, errorOf, TimeoutError, WaymarkError } from './errors.ts'
import type { OperationName } from './operations.ts'
import type { ClientOptions } from './options.ts'
import type { OperationCall } from './payload.ts'
import { type Credentials, type Prepared, prepare } from './request.ts'
import { delayBefore, isRepeatable, wait, type RetryPolicy } from './retry.ts'
import { send, type Incoming } from './transport.ts'

/** Calls an operation by its name. */
export type Call = (name: OperationName, input?: object, options?: CallOptions) => Promise<unknown>

const MAX_DELAY_MS = 60_000
const DEADLINE_MS = 600_000
// A person at a screen would rather see the error.
const SESSION_MAX_DELAY_MS = 5_000
const SESSION_DEADLINE_MS = 60_000
const ATTEMPT_MS = 60_000
// A thousand codes of different styles take minutes of proofs.
const LONG_ATTEMPT_MS = 300_000
const RETRIES = 3
/** Of operations that return a file. */
const BYTES = new Set<string | undefined>(['archive', 'zip', 'picture'])

/** Makes the one function that every method of a client calls. */
export const caller = (options: ClientOptions, credentials: Credentials): Call => {
  const { now = Date.now, random = Math.random } = options
  const pause = options.wait ?? wait
  const isSession = options.session === true
  const policy: RetryPolicy = {
    retries: options.retries ?? RETRIES,
    maxDelayMs: options.maxDelayMs ?? (isSession ? SESSION_MAX_DELAY_MS : MAX_DELAY_MS),
  }
  const usualDeadlineMs = options.deadlineMs ?? (isSession ? SESSION_DEADLINE_MS : DEADLINE_MS)
  const attempt = attempter(options, credentials, now)
  return async (name, input, callOptions = {}) => {
    const endsAt = now() + (callOptions.deadlineMs ?? usualDeadlineMs)
    const request = await prepare(name, options, input, callOptions)
    let failures = 0
    let hasSignedAnew = false
    for (let count = 1; ; count++) {
      const outcome = await attempt(request, callOptions, { count, remainingMs: endsAt - now() })
      if (!(outcome instanceof WaymarkError)) return outcome
      if (!hasSignedAnew && outcome.code === 'signature_used') {
        hasSignedAnew = true
        continue
      }
      if (outcome.status !== 429) failures++
      const state = { failures, isRepeatable: isRepeatable(name), remainingMs: endsAt - now() }
      const delay = delayBefore(outcome, state, policy, random)
      if (delay === undefined) throw outcome
      await pause(delay, callOptions.signal)
    }
  }
}

const attemptMs = (name: OperationName): number => (name === 'generateCodes' ? LONG_ATTEMPT_MS : ATTEMPT_MS)

interface Turn {
  readonly count: number
  readonly remainingMs: number
}

const attempter =
  (options: ClientOptions, credentials: Credentials, now: () => number) =>
  async (request: Prepared, callOptions: CallOptions, turn: Turn): Promise<unknown> => {
    const { signal, onUploadProgress } = callOptions
    signal?.throwIfAborted()
    const { name, operation, url } = request
    const { method } = operation
    const headers = { ...request.headers }
    await options.onRequest?.({ operation: name, method, url, attempt: turn.count, headers })
    Object.assign(headers, await credentials(request))
    const timeout = AbortSignal.timeout(
      Math.min(options.timeoutMs ?? attemptMs(name), Math.max(turn.remainingMs, 1)),
    )
    const startedAt = now()
    const tell = (status: number, requestId?: string): void =>
      options.onResponse?.({
        operation: name,
        method,
        url,
        attempt: turn.count,
        status,
        requestId,
        durationMs: now() - startedAt,
      })
    let response: Incoming
    try {
      response = await send(options.fetch, {
        url,
        method,
        headers,
        body: request.payload.body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        sameOrigin: options.session === true,
        wantsBytes: BYTES.has(operation.returns),
        onUploadProgress,
      })
    } catch (cause) {
      signal?.throwIfAborted()
      tell(0)
      return silence(cause, timeout.aborted)
    }
    tell(response.status, response.headers.get('x-request-id') ?? undefined)
    return read(operation, response, now())
  }

const silence = (cause: unknown, isTimeout: boolean): WaymarkError =>
  isTimeout
    ? new TimeoutError('The server did not respond in time', { code: 'timeout', status: 0, cause })
    : new ConnectionError('The server could not be reached', { code: 'connection_failed', status: 0, cause })

const read = (
  operation: OperationCall,
  { status, headers, text, bytes }: Incoming,
  nowMs: number,
): unknown => {
  if (bytes !== undefined) return bytes
  if (status === 200 && operation.returns === 'csv') return text
  const body = parsed(text)
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) return body
  // A browser hides the status of a redirect that it did not follow.
  if (status === 0 || (status >= 300 && status < 400))
    return new WaymarkError('The server redirects; give the address it leads to as baseUrl', {
      code: 'redirected',
      status: status === 0 ? 302 : status,
    })
  return errorOf(status, headers, body, nowMs)
}

/** What a text says as JSON; undefined if it is none. */
export const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
