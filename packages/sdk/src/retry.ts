import { operations, type Operation, type OperationName } from '@waymark/contract'
import type { WaymarkError } from './errors.ts'

/** When and how often a call that failed is tried again. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly retries: number
  /** A wait that the server asks for beyond this is not waited out: the error is thrown at once. */
  readonly maxDelayMs: number
}

const FIRST_DELAY_MS = 250
const LONGEST_BACKOFF_MS = 8_000

/**
 * Whether an operation may run twice when its answer was lost. Reads may; writes may because their Idempotency-Key
 * makes the second a replay of the first. The exceptions are those whose answers the server never keeps: without a
 * user there is nobody to keep them for, and an answer that holds a secret is not written down.
 */
export const isRepeatable = (name: OperationName): boolean => {
  const operation: Operation = operations[name]
  return operation.method === 'GET' || (operation.auth !== 'none' && name !== 'generateKey')
}

/** How long to wait before another attempt; undefined when there shall be none. `attempt` counts from 0. */
export const delayBefore = (
  failure: WaymarkError,
  attempt: number,
  repeatable: boolean,
  policy: RetryPolicy,
  random: () => number,
): number | undefined => {
  // 429 says that nothing was done; a database that went away, or silence, does not.
  const may = failure.status === 429 || (repeatable && (failure.status === 503 || failure.status === 0))
  if (!may || attempt >= policy.retries) return undefined
  const backoff = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_BACKOFF_MS)
  const jittered = backoff * (0.5 + random() / 2)
  if (failure.retryAfter === undefined) return Math.min(jittered, policy.maxDelayMs)
  const asked = failure.retryAfter * 1000
  // The jitter comes on top, so that clients that were all told the same moment do not all come at it.
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
