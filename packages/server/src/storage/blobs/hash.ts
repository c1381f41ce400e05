import { createHash } from 'node:crypto'
import { nextTurn } from '../../work/turns.ts'

/** Takes about a millisecond. */
const AT_ONCE = 1 << 19

/** Hashes arrive in addresses too: anything else must never become a path. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** The same while the process goes on serving others: a file of 32 MiB takes up to a tenth of a second. */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    if (from > 0) await nextTurn()
    hash.update(bytes.subarray(from, from + AT_ONCE))
  }
  return hash.digest('hex')
}
