import { createHash } from 'node:crypto'
import { nextTurn } from '../../work/turns.ts'

/** A part of a file. */
export interface ByteRange {
  readonly from: number
  readonly length: number
}

/** Files that are named by the SHA-256 of their content, so that a name never changes its meaning. */
export interface Blobs {
  /** Whole or not at all, and on disk when the promise resolves. */
  put(hash: string, bytes: Uint8Array): Promise<void>
  /** The whole file or a part of it, which is shorter than the range where the file ends before. */
  get(hash: string, range?: ByteRange): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
  /** Fine when it is gone already. */
  remove(hash: string): Promise<void>
  list(): AsyncIterable<string>
  close(): Promise<void>
}

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
