import { TEST_EVENT } from '@waymark/contract'

/** What became of one attempt. */
export interface Outcome {
  /** Status of the response; null when there was none. */
  readonly status: number | null
  /** Why it does not count as delivered. */
  readonly error: string | null
}

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** A receiver must respond within this time. */
export const TIMEOUT_MS = 10_000

/** How long to wait after each failure; after as many failures and one more it is given up. */
export const RETRY_DELAYS_MS: readonly number[] = [
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  HOUR,
  6 * HOUR,
]

/** A receiver to which nothing has got through for this long is not asked any more. */
export const FAILING_LIMIT_MS = 5 * 24 * HOUR

/** How long to wait before the next attempt; undefined: there is none. A test is sent again once, on request. */
export function retryDelayMs(type: string, attempts: number): number | undefined {
  return type === TEST_EVENT ? undefined : RETRY_DELAYS_MS[attempts - 1]
}
