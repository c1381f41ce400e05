import type { WaymarkError } from './errors.ts'
import { calls } from './operation-facts.gen.ts'
import type { OperationName } from './operations.ts'
import type { OperationCall } from './payload.ts'

/** When and how often a call that failed is tried again. */
export interface RetryPolicy {
  /** Attempts after the first, those after a 429 aside. */
  readonly retries: number
  /** A wait that the server asks for beyond this is not waited out: the error is thrown at once. */
  readonly maxDelayMs: number
}

/** Where a call stands when an attempt has failed. */
export interface CallState {
  /** Attempts that failed so far for another reason than the rate limit. */
  readonly failures: number
  /** Whether the operation may run twice. */
  readonly isRepeatable: boolean
  /** What is left of the deadline. */
  readonly remainingMs: number
}

const FIRST_DELAY_MS = 250
const LONGEST_BACKOFF_MS = 8_000
const UNAVAILABLE: readonly number[] = [0, 502, 503, 504]

/**
 * Whether an operation may be sent again when its response was lost. Reads may; writes may because their
 * Idempotency-Key makes the second request a replay of the first. The table names the exceptions.
 */
export const isRepeatable = (name: OperationName): boolean =>
  (calls[name] as OperationCall).repeatable !== false

/**
 * How long to wait before another attempt; undefined when there shall be none. A 429 says that nothing was done and
 * when to come back, so only the deadline bounds how often that happens: a long list finishes although other clients
 * use up the same limit. An unavailable database, or silence, does not say that nothing was done.
 */
export const delayBefore = (
  failure: WaymarkError,
  { failures, isRepeatable, remainingMs }: CallState,
  policy: RetryPolicy,
  random: () => number,
): number | undefined => {
  const isLimited = failure.status === 429
  if (!isLimited) {
    if (!isRepeatable || !UNAVAILABLE.includes(failure.status) || failures > policy.retries) return undefined
  }
  const delay = waitFor(failure.retryAfter, isLimited ? 1 : failures, policy, random)
  return delay === undefined || delay >= remainingMs ? undefined : delay
}

const waitFor = (
  retryAfter: number | undefined,
  failures: number,
  policy: RetryPolicy,
  random: () => number,
): number | undefined => {
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** (failures - 1), LONGEST_BACKOFF_MS)
  if (retryAfter === undefined) return Math.min(backoff * (0.5 + random() / 2), policy.maxDelayMs)
  const asked = retryAfter * 1000
  // Jitter is added, so that clients with the same `retry-after` do not all return at the same moment.
  return asked > policy.maxDelayMs ? undefined : asked + FIRST_DELAY_MS * random()
}

/** Waits, or throws the reason as soon as the caller gives up. */
export const wait = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const giveUp = (): void => {
      clearTimeout(timer)
      reject(signal?.reason as Error)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp)
      resolve()
    }, ms)
    if (signal?.aborted === true) giveUp()
    else signal?.addEventListener('abort', giveUp, { once: true })
  })
