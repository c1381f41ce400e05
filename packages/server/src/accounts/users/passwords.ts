import { hash, verify } from '@node-rs/argon2'
import { admission } from '../../net/admission/lanes.ts'
import { addressBucket } from '../../net/client-address.ts'
import { type Limits, takeOrReject } from '../../net/limits/limits.ts'
import { HOUR_MS } from '../../work/times.ts'

/** OWASP's second profile for Argon2id (the library's default algorithm): 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Matches no password but takes as long to check: for users without a password and unknown accounts. */
export const NO_PASSWORD =
  '$argon2id$v=19$m=19456,t=2,p=1$d2F5bWFya2RlY295$3K0mVJk0D4h8n3mZx0pC5o3xGQ3a1kq0m0hJmQ2l0cM'

export const hashPassword = (password: string): Promise<string> =>
  admission.run('hashing', () => hash(password, COST))

/** Users created through an OpenID provider have none. */
export const hasPassword = ({ password_hash }: { readonly password_hash: string }): boolean =>
  password_hash !== NO_PASSWORD

type Optional = string | null | undefined

/** Hashes one after another, so that a request with many passwords has only one at the gate. Skips empty ones. */
export async function hashPasswords(passwords: readonly Optional[]): Promise<Optional[]> {
  const hashes: Optional[] = []
  for (const password of passwords)
    hashes.push(password ? await hashPassword(password) : password === undefined ? undefined : null)
  return hashes
}

/** Takes the same time whether the account exists or not. Sign-ins have their own lane. */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
  lanes: 'signIn' | 'hashing' = 'hashing',
): Promise<boolean> {
  const matches = await admission.run(lanes, () =>
    verify(passwordHash ?? NO_PASSWORD, password).catch(() => false),
  )
  return matches && passwordHash !== undefined
}

/** Tries per minute of a known caller, or of one address at one account. */
export const MINUTE_LIMIT = 30
/** Wrong tries per hour of a known caller, or of all others together at one account. */
const HOUR_LIMIT = 100
/** Accounts that one address may create per minute. */
const SIGN_UP_LIMIT = 60

/** Who tries a password: a caller that has proved to belong to the account, or anyone at any address. */
type PasswordTrier =
  | { readonly known: string }
  | { readonly known?: undefined; readonly account: string; readonly address: string }

/**
 * Counts a password try before the password is checked. Returns a function that takes the try back from the hourly count, to
 * be called if the password was right. Guesses from many networks add up and are rejected; browsers that have signed in
 * before have their own counts, so that the owner is not locked out.
 */
export async function takePasswordTry(limits: Limits, trier: PasswordTrier): Promise<() => Promise<void>> {
  const [often, all] =
    trier.known === undefined
      ? [`sign-in:${addressBucket(trier.address)}:${trier.account}`, `sign-in:${trier.account}`]
      : [`sign-in:known:${trier.known}`, `sign-in:known:${trier.known}`]
  await takeOrReject(limits, often, MINUTE_LIMIT)
  await takeOrReject(limits, all, HOUR_LIMIT, HOUR_MS)
  return async () => void (await limits.take(all, HOUR_LIMIT, -1, HOUR_MS))
}

export const takeSignUp = (limits: Limits, address: string): Promise<void> =>
  takeOrReject(limits, `sign-up:${addressBucket(address)}`, SIGN_UP_LIMIT)
