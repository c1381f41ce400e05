import { setTimeout as sleep } from 'node:timers/promises'
import { addressBucket } from '../../runtime/client-address.ts'
import type { Limits } from '../../runtime/limits/limits.ts'
import { takeOrReject } from '../../runtime/limits/take-or-reject.ts'

/** Tries per minute of one address at one account: past that they are rejected. */
const PAIR_LIMIT = 30
/** Tries per minute at one account from any address: past that each try waits, and the owner still gets in. */
const ACCOUNT_LIMIT = 60
const SLOWED_MS = 2_000
/** Accounts that one address may create per minute. */
const SIGN_UP_LIMIT = 60

/** Counts a try at the password of an account, before the password is looked at. */
export async function takePasswordTry(limits: Limits, account: string, address: string): Promise<void> {
  await takeOrReject(limits, `sign-in:${addressBucket(address)}:${account}`, PAIR_LIMIT)
  const everywhere = await limits.take(`sign-in:${account}`, ACCOUNT_LIMIT)
  if (!everywhere.allowed) await sleep(SLOWED_MS)
}

export const takeSignUp = (limits: Limits, address: string): Promise<void> =>
  takeOrReject(limits, `sign-up:${addressBucket(address)}`, SIGN_UP_LIMIT)
