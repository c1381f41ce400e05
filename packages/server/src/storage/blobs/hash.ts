import { createHash } from 'node:crypto'

/** Hashes arrive in addresses too: anything else must never become a path. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}
