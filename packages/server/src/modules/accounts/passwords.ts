import { hash, verify } from '@node-rs/argon2'

/** OWASP's second profile for Argon2id (the library's default algorithm): 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** As much work as a right password costs, for accounts that do not exist. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$d2F5bWFya2RlY295$3K0mVJk0D4h8n3mZx0pC5o3xGQ3a1kq0m0hJmQ2l0cM'

export const hashPassword = (password: string): Promise<string> => hash(password, COST)

/** Takes the same time whether there is an account or not. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await verify(passwordHash ?? DECOY, password).catch(() => false)
  return matches && passwordHash !== undefined
}
