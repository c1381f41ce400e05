import { hash, verify } from '@node-rs/argon2'
import { admission } from '../../net/admission/lanes.ts'

/** OWASP's second profile for Argon2id (the library's default algorithm): 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** As much work as a right password costs, for accounts that do not exist. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$d2F5bWFya2RlY295$3K0mVJk0D4h8n3mZx0pC5o3xGQ3a1kq0m0hJmQ2l0cM'

export const hashPassword = (password: string): Promise<string> =>
  admission.run('hashing', () => hash(password, COST))

type Optional = string | null | undefined

/** One after another, so that a request with many passwords has only one at the gate. An empty one is none. */
export async function hashPasswords(passwords: readonly Optional[]): Promise<Optional[]> {
  const hashes: Optional[] = []
  for (const password of passwords)
    hashes.push(password ? await hashPassword(password) : password === undefined ? undefined : null)
  return hashes
}

/** Takes the same time whether there is an account or not. Signing in has lanes of its own. */
export async function isPassword(
  password: string,
  passwordHash: string | undefined,
  lanes: 'signIn' | 'hashing' = 'hashing',
): Promise<boolean> {
  const matches = await admission.run(lanes, () => verify(passwordHash ?? DECOY, password).catch(() => false))
  return matches && passwordHash !== undefined
}
