/** What is known about a failure; `WaymarkError` says what the fields mean. */
export interface WaymarkErrorDetails {
  readonly code: string
  readonly status: number
  readonly errors?: Readonly<Record<string, readonly string[]>> | undefined
  readonly requestId?: string | undefined
  readonly retryAfter?: number | undefined
  readonly canonical?: string | undefined
  readonly data?: unknown
  readonly cause?: unknown
}

/** A call that failed. The subclasses say how. */
export class WaymarkError extends Error {
  override readonly name: string = 'WaymarkError'
  /** What went wrong, for programs: such as `validation`, `not_found` or `signature_invalid`. */
  readonly code: string
  /** The HTTP status; 0 when there was no response (see `cause`). */
  readonly status: number
  /** The invalid fields, each with its messages; nested fields are named with dots (`buttons.0.label`). */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Identifies the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which the server asked to be tried again. */
  readonly retryAfter: number | undefined

  constructor(message: string, details: WaymarkErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = details.code
    this.status = details.status
    this.errors = details.errors ?? {}
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
  }
}

/** 400, 405, 408, 413 or 415: the request could not be read. */
export class InvalidRequestError extends WaymarkError {
  override readonly name = 'InvalidRequestError'
}

/** 401: the key, the signature, the timestamp or the session was not accepted. */
export class AuthenticationError extends WaymarkError {
  override readonly name = 'AuthenticationError'
  /** With `signature_invalid`: the string that the server expected to be signed. */
  readonly canonical: string | undefined
  constructor(message: string, details: WaymarkErrorDetails) {
    super(message, details)
    this.canonical = details.canonical
  }
}

/** 402: the quota of the plan is reached. */
export class QuotaError extends WaymarkError {
  override readonly name = 'QuotaError'
}

/** 403: the caller may not do this. */
export class PermissionError extends WaymarkError {
  override readonly name = 'PermissionError'
}

/** 404: unknown, or of another account. */
export class NotFoundError extends WaymarkError {
  override readonly name = 'NotFoundError'
}

/** 409: a name is taken, or the resource belongs to another one. */
export class ConflictError extends WaymarkError {
  override readonly name = 'ConflictError'
}

/** 412: the resource was edited since the version that `ifMatch` named. */
export class PreconditionError extends WaymarkError {
  override readonly name = 'PreconditionError'
  /** The resource as it is now. */
  readonly data: unknown
  constructor(message: string, details: WaymarkErrorDetails) {
    super(message, details)
    this.data = details.data
  }
}

/** 422: fields break their rules; `errors` says which. */
export class ValidationError extends WaymarkError {
  override readonly name = 'ValidationError'
}

/** 429: too many requests, and the deadline of the call left no time to wait. */
export class RateLimitError extends WaymarkError {
  override readonly name = 'RateLimitError'
}

/** 500 and above: the server failed or is unavailable. */
export class ServerError extends WaymarkError {
  override readonly name = 'ServerError'
}

/** There was no response: the server could not be reached, or the connection broke. */
export class ConnectionError extends WaymarkError {
  override readonly name: string = 'ConnectionError'
}

/** An attempt, or the whole call, took too long. */
export class TimeoutError extends ConnectionError {
  override readonly name = 'TimeoutError'
}

type ErrorClass = new (message: string, details: WaymarkErrorDetails) => WaymarkError

const byStatus: Readonly<Record<number, readonly [ErrorClass, string]>> = {
  400: [InvalidRequestError, 'invalid_request'],
  401: [AuthenticationError, 'authentication_failed'],
  402: [QuotaError, 'quota_reached'],
  403: [PermissionError, 'permission_denied'],
  404: [NotFoundError, 'not_found'],
  405: [InvalidRequestError, 'method_not_allowed'],
  408: [InvalidRequestError, 'too_slow'],
  409: [ConflictError, 'conflict'],
  412: [PreconditionError, 'precondition_failed'],
  413: [InvalidRequestError, 'too_large'],
  415: [InvalidRequestError, 'unsupported_type'],
  422: [ValidationError, 'validation'],
  429: [RateLimitError, 'rate_limited'],
  503: [ServerError, 'unavailable'],
}

// These texts are part of the contract, so a program may tell them apart.
const byText: Readonly<Record<string, string>> = {
  'API key missing': 'key_missing',
  'Invalid API key': 'key_invalid',
  'Signature missing': 'signature_missing',
  'Timestamp missing': 'timestamp_missing',
  'Timestamp invalid': 'timestamp_invalid',
  'Timestamp expired': 'timestamp_expired',
  'Invalid signature': 'signature_invalid',
  'Signature already used': 'signature_used',
  'This sign-in has expired; enter your password again': 'challenge_invalid',
  'Confirm that it is you': 'reauthenticate',
  'This identity is not linked to an account. Sign in and link it under Settings, Security':
    'identity_unknown',
  'This workspace needs a second factor; set one up under Settings, Security': 'second_factor_required',
  'There is no such workspace': 'workspace_unknown',
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const fieldsOf = (value: unknown): Record<string, string[]> | undefined => {
  if (!isRecord(value)) return undefined
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([field, messages]) => [field, messages.map(String)]))
}

/** Seconds from a Retry-After header, which holds either seconds or a date. */
export const readRetryAfter = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000)
}

/** The error of a response that is not a success. */
export const errorOf = (
  status: number,
  headers: { get(name: string): string | null },
  body: unknown,
  nowMs: number,
): WaymarkError => {
  const told = isRecord(body) ? body : {}
  const message = textOf(told['error']) ?? `The server returned ${status}`
  const [Class, code] = byStatus[status] ?? [
    status >= 500 ? ServerError : WaymarkError,
    status >= 500 ? 'internal' : `status_${status}`,
  ]
  return new Class(message, {
    code: byText[message] ?? (status === 403 && 'role' in told ? 'role_missing' : code),
    status,
    errors: fieldsOf(told['errors']),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after'), nowMs),
    canonical: textOf(told['canonical']),
    data: told['data'],
  })
}
