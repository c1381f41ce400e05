import { operations, type Operation, type OperationName } from '@waymark/contract'
import { refusalOf, WaymarkError } from './errors.ts'
import { payloadOf, queryString, randomHex, type Payload } from './payload.ts'
import { delayBefore, isRepeatable, wait, type RetryPolicy } from './retry.ts'
import { risingClock, sign } from './signer.ts'
import { send, type Incoming, type UploadProgress } from './transport.ts'

/** What may be said about one call. */
export interface CallOptions {
  /** Names this write: sent again, it is not done again. One is made for every write that brings none. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
  readonly onUploadProgress?: (progress: UploadProgress) => void
}

/** What every client may be told. */
export interface CommonOptions {
  /** Where the server is, such as `https://go.example.com`. */
  readonly baseUrl: string
  readonly fetch?: typeof fetch
  /** Attempts after the first, default 2. */
  readonly retries?: number
  /** The longest wait between attempts; a server that asks for more is not asked again. */
  readonly maxDelayMs?: number
  /** How long one attempt may take, default 60 s. */
  readonly timeoutMs?: number
  /** The clock, the dice and the waiting: for tests. */
  readonly now?: () => number
  readonly random?: () => number
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>
}

/** A client with a key. Without the secret it can call only what needs no signature. */
export interface KeyOptions extends CommonOptions {
  readonly apiKey: string
  readonly secret?: string
  readonly session?: false
}

/** A client in a browser that is signed in: same origin, no key, no signature. */
export interface SessionOptions extends CommonOptions {
  readonly session: true
}

/** How a client is made. */
export type ClientOptions = KeyOptions | SessionOptions

/** Calls an operation by its name. */
export type Call = (name: OperationName, input?: object, options?: CallOptions) => Promise<unknown>

const KEY_WAIT_MS = 60_000
// People who look at a screen would rather be told.
const SESSION_WAIT_MS = 5_000
const ATTEMPT_MS = 60_000
// Whatever an operation answers, it refuses in JSON.
const ACCEPTED = { json: 'application/json', csv: 'text/csv, application/json' } as const

/** Makes the one function that every method of a client calls. */
export const caller = (options: ClientOptions): Call => {
  const now = options.now ?? Date.now
  const pause = options.wait ?? wait
  const policy: RetryPolicy = {
    retries: options.retries ?? 2,
    maxDelayMs: options.maxDelayMs ?? (options.session === true ? SESSION_WAIT_MS : KEY_WAIT_MS),
  }
  const attempt = attempter(options, now)
  return async (name, input, callOptions = {}) => {
    const request = prepare(name, options, input, callOptions)
    let hasSignedAnew = false
    for (let count = 0; ;) {
      const outcome = await attempt(request, callOptions)
      if (!(outcome instanceof WaymarkError)) return outcome
      if (!hasSignedAnew && outcome.status === 401 && outcome.message === 'Signature already used') {
        hasSignedAnew = true
        continue
      }
      const delay = delayBefore(outcome, count, isRepeatable(name), policy, options.random ?? Math.random)
      if (delay === undefined) throw outcome
      await pause(delay, callOptions.signal)
      count++
    }
  }
}

interface Prepared {
  readonly operation: Operation
  readonly address: string
  /** What is signed: path with query string, as they leave. */
  readonly target: () => string
  readonly payload: Payload
  readonly headers: Record<string, string>
}

const withoutTrailingSlash = (address: string): string => {
  let end = address.length
  while (address[end - 1] === '/') end--
  return address.slice(0, end)
}

const prepare = (
  name: OperationName,
  options: ClientOptions,
  input: object | undefined,
  { idempotencyKey }: CallOptions,
): Prepared => {
  const operation: Operation = operations[name]
  const isRead = operation.method === 'GET'
  const path = operation.path + (isRead ? queryString(input) : '')
  const address = withoutTrailingSlash(options.baseUrl) + path
  const payload = payloadOf(operation, input)
  const headers: Record<string, string> = { accept: ACCEPTED[operation.answers ?? 'json'] }
  if (payload.contentType !== undefined) headers['content-type'] = payload.contentType
  if (!isRead) headers['idempotency-key'] = idempotencyKey ?? randomHex(16)
  if (options.session !== true && operation.auth !== 'none') headers['x-api-key'] = options.apiKey
  const target = (): string => {
    const { pathname, search } = new URL(address)
    return pathname + search
  }
  return { operation, address, target, payload, headers }
}

const attempter = (options: ClientOptions, now: () => number) => {
  const timestamp = risingClock(now)
  const signature = async ({ operation, payload, target }: Prepared): Promise<object> => {
    if (options.session === true || operation.auth !== 'signed') return {}
    if (options.secret === undefined) throw new TypeError(`${operation.path} needs the secret of the key`)
    const digest = await payload.digest()
    return sign(options.secret, { method: operation.method, target: target(), digest }, timestamp())
  }
  return async (request: Prepared, { signal, onUploadProgress }: CallOptions): Promise<unknown> => {
    signal?.throwIfAborted()
    const headers = { ...request.headers, ...(await signature(request)) }
    const timeout = AbortSignal.timeout(options.timeoutMs ?? ATTEMPT_MS)
    try {
      const answer = await send(options.fetch, {
        address: request.address,
        method: request.operation.method,
        headers,
        body: request.payload.body,
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
        sameOrigin: options.session === true,
        onUploadProgress,
      })
      return read(request.operation, answer, now())
    } catch (cause) {
      signal?.throwIfAborted()
      return new WaymarkError('The server could not be reached', { status: 0, cause })
    }
  }
}

const read = (operation: Operation, { status, headers, text }: Incoming, nowMs: number): unknown => {
  if (status === 200 && operation.answers === 'csv') return text
  const body = parsed(text)
  if (status >= 200 && status < 300 && typeof body === 'object' && body !== null) return body
  // A browser hides the status of a redirect that it did not follow.
  if (status === 0 || (status >= 300 && status < 400))
    return new WaymarkError('The server redirects; give the address it leads to as baseUrl', {
      status: status === 0 ? 302 : status,
    })
  return refusalOf(status, headers, body, nowMs)
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
