import { setTimeout as sleep } from 'node:timers/promises'
import { addressBucket } from '../../runtime/client-address.ts'
import { AppError } from '../../runtime/errors.ts'
import type { Limits } from '../../runtime/limits/limits.ts'

/** Tries per minute of one address at one account: past that they are rejected. */
const PAIR_LIMIT = 30
/** Tries per minute at one account from any address: past that each try waits, and the owner still gets in. */
const ACCOUNT_LIMIT = 60
const SLOWED_MS = 2_000
/** Accounts that one address may create per minute. */
const SIGN_UP_LIMIT = 60

/** 429 with the time to wait. */
export async function takeOrReject(limits: Limits, bucket: string, limit: number): Promise<void> {
  const { allowed, resetMs } = await limits.take(bucket, limit)
  if (allowed) return
  const seconds = Math.max(1, Math.ceil(resetMs / 1000))
  throw new AppError('rate_limited', { headers: { 'retry-after': String(seconds) } })
}

/** Counts a try at the password of an account, before the password is looked at. */
export async function takePasswordTry(limits: Limits, account: string, address: string): Promise<void> {
  await takeOrReject(limits, `sign-in:${addressBucket(address)}:${account}`, PAIR_LIMIT)
  const everywhere = await limits.take(`sign-in:${account}`, ACCOUNT_LIMIT)
  if (!everywhere.allowed) await sleep(SLOWED_MS)
}

export const takeSignUp = (limits: Limits, address: string): Promise<void> =>
  takeOrReject(limits, `sign-up:${addressBucket(address)}`, SIGN_UP_LIMIT)
