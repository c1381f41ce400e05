/** What a refused or failed call is thrown as. */
export class WaymarkError extends Error {
  override readonly name = 'WaymarkError'
  /** The HTTP status; 0 when there was no answer at all (see `cause`). */
  readonly status: number
  /** The wrong fields, each with what is wrong with it; nested fields are named with dots. */
  readonly errors: Readonly<Record<string, readonly string[]>>
  /** Names this request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds after which the server asked to be tried again. */
  readonly retryAfter: number | undefined
  /** Only with `Invalid signature`: the string that the server expected to be signed. */
  readonly canonical: string | undefined

  constructor(message: string, details: WaymarkErrorDetails) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.status = details.status
    this.errors = details.errors ?? {}
    this.requestId = details.requestId
    this.retryAfter = details.retryAfter
    this.canonical = details.canonical
  }
}

/** What is known about a failure. */
export interface WaymarkErrorDetails {
  status: number
  errors?: Record<string, string[]> | undefined
  requestId?: string | undefined
  retryAfter?: number | undefined
  canonical?: string | undefined
  cause?: unknown
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

const fieldsOf = (value: unknown): Record<string, string[]> | undefined => {
  if (!isRecord(value)) return undefined
  const lists = Object.entries(value).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return Object.fromEntries(lists.map(([field, sentences]) => [field, sentences.map(String)]))
}

/** Seconds from a Retry-After header, which holds either seconds or a date. */
export const readRetryAfter = (header: string | null, nowMs: number): number | undefined => {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - nowMs) / 1000)
}

/** The error of an answer that is none of the successful ones. */
export const refusalOf = (
  status: number,
  headers: { get(name: string): string | null },
  body: unknown,
  nowMs: number,
): WaymarkError => {
  const refusal = isRecord(body) ? body : {}
  return new WaymarkError(textOf(refusal['error']) ?? `The server answered ${status}`, {
    status,
    errors: fieldsOf(refusal['errors']),
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfter: readRetryAfter(headers.get('retry-after'), nowMs),
    canonical: textOf(refusal['canonical']),
  })
}
