import { AppError } from '../net/errors.ts'
import type { RateLimits } from './rate-meter.ts'

/**
 * Pixels that one account may have decoded in a minute: twelve pictures of the largest size, or forty of a phone. A file
 * of a kilobyte can hold the largest size, and decoding it takes seconds.
 */
export const PIXELS_PER_MINUTE = 480_000_000

/** Counts pixels against the account that sends them. Requests without an account can send no files. */
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
