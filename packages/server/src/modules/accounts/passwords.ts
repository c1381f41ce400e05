import { hash, verify } from '@node-rs/argon2'

/** OWASP's second profile for Argon2id (the library's default algorithm): 19 MiB, two passes. */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** As much work as a right password costs, for accounts that do not exist. */
const DECOY = '$argon2id$v=19$m=19456,t=2,p=1$d2F5bWFya2RlY295$3K0mVJk0D4h8n3mZx0pC5o3xGQ3a1kq0m0hJmQ2l0cM'

/** At once; more would take memory and threads that every other request needs. */
const AT_ONCE = 2
const turns = Array.from({ length: AT_ONCE }, () => Promise.resolve())
let next = 0

/** Runs the work when it is its turn. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const lane = next++ % AT_ONCE
  const result = (turns[lane] ?? Promise.resolve()).then(work)
  turns[lane] = result.then(
    () => undefined,
    () => undefined,
  )
  return result
}

export const hashPassword = (password: string): Promise<string> => inTurn(() => hash(password, COST))

/** Takes the same time whether there is an account or not. */
export async function isPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const matches = await inTurn(() => verify(passwordHash ?? DECOY, password)).catch(() => false)
  return matches && passwordHash !== undefined
}
