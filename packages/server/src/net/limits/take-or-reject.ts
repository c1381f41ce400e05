import { AppError } from '../errors.ts'
import type { Limits } from './limits.ts'

/** 429 with the time to wait. */
export async function takeOrReject(
  limits: Limits,
  bucket: string,
  limit: number,
  windowMs?: number,
): Promise<void> {
  const { allowed, resetMs } = await limits.take(bucket, limit, 1, windowMs)
  if (allowed) return
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  throw new AppError('rate_limited', { headers: { 'retry-after': String(seconds) } })
}
