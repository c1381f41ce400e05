import { addressBucket } from '../../net/client-address.ts'
import { AppError } from '../../net/errors.ts'
import type { Call, Step } from '../call.ts'

/** Counts in fixed one-minute windows. */
export interface RateLimits {
  take(bucket: string, limit: number, cost?: number): Promise<RateState>
}

interface RateState {
  readonly allowed: boolean
  readonly remaining: number
  readonly resetMs: number
}

/** The rate limit of one request; the last count appears in its response. */
export class RateMeter {
  readonly #limits: RateLimits
  #limit = 0
  #remaining = 0

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  /** Counts the request; rejects it above the limit. */
  async take(bucket: string, limit: number): Promise<void> {
    const state = await this.#limits.take(bucket, limit)
    this.#limit = limit
    this.#remaining = state.remaining
    if (state.allowed) return
    const seconds = Math.max(1, Math.ceil(state.resetMs / 1000))
    throw new AppError('rate_limited', { headers: { 'retry-after': String(seconds) } })
  }

  get counted(): boolean {
    return this.#limit > 0
  }

  get headers(): Record<string, string> {
    return { 'x-ratelimit-limit': String(this.#limit), 'x-ratelimit-remaining': String(this.#remaining) }
  }
}

/**
 * Pixels that one account can decode per minute: twelve pictures of the maximum size, or forty of a phone. A file of a
 * kilobyte can have the maximum size, and decoding it takes seconds.
 */
const PIXELS_PER_MINUTE = 480_000_000

/** Counts pixels against the account that sends them. Requests without an account cannot send files. */
export async function spendPixels(
  limits: RateLimits,
  account: string | undefined,
  pixels: number,
): Promise<void> {
  const { allowed, resetMs } = await limits.take(`pixels:${account ?? ''}`, PIXELS_PER_MINUTE, pixels)
  if (allowed) return
  throw new AppError('rate_limited', {
    message: 'Too many large images; wait and try again',
    headers: { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) },
  })
}

export interface RateDependencies {
  readonly limits: RateLimits
  readonly rates: { readonly read: number; readonly write: number; readonly session: number }
}

const limitOf = ({ rates }: RateDependencies, { isWrite }: Call): number =>
  isWrite ? rates.write : rates.read

/** Operations without credentials count against the address. So does every request that fails before `limitCaller`. */
export const limitAddress =
  (deps: RateDependencies): Step =>
  async (call, next) => {
    const { operation, meter, facts } = call
    if (operation.auth === 'none')
      await meter.take(`address:${addressBucket(facts.address)}:${operation.method}`, limitOf(deps, call))
    return next()
  }

/** A key is public: unsigned requests have a limit per address, separate from that of signed requests. */
export const limitCaller =
  (deps: RateDependencies): Step =>
  async (call, next) => {
    const { caller, operation, meter, facts } = call
    if (caller === undefined) return next()
    const { kind, uuid, unsigned } = caller
    const key = unsigned === true ? `${uuid}:${addressBucket(facts.address)}` : uuid
    await (kind === 'session'
      ? meter.take(`session:${uuid}`, deps.rates.session)
      : meter.take(`${kind}:${key}:${operation.method}`, limitOf(deps, call)))
    return next()
  }
