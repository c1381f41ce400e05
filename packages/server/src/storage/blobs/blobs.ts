import { createHash } from 'node:crypto'
import { nextTurn } from '../../work/turns.ts'

/** A range of bytes in a file. */
export interface ByteRange {
  readonly from: number
  readonly length: number
}

/** Files named by the SHA-256 of their content, so a name always has the same content. */
export interface Blobs {
  /** Stores the whole file or nothing. It is on disk when the promise resolves. */
  put(hash: string, bytes: Uint8Array): Promise<void>
  /** The whole file or a range, which is cut at the end of the file. */
  get(hash: string, range?: ByteRange): Promise<Uint8Array | undefined>
  has(hash: string): Promise<boolean>
  /** Also succeeds if the file no longer exists. */
  remove(hash: string): Promise<void>
  list(): AsyncIterable<string>
  close(): Promise<void>
}

/** Hashing this many bytes takes about a millisecond. */
const AT_ONCE = 1 << 19

/** URLs contain hashes, too: any other text must never become a path. */
export function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text)
}

export function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Hashes in steps, so that other requests are served meanwhile: a file of 32 MiB takes up to a tenth of a second. */
export async function hashInTurns(bytes: Uint8Array): Promise<string> {
  const hash = createHash('sha256')
  for (let from = 0; from < bytes.length; from += AT_ONCE) {
    if (from > 0) await nextTurn()
    hash.update(bytes.subarray(from, from + AT_ONCE))
  }
  return hash.digest('hex')
}
