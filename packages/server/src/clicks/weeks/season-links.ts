import { aligned } from '../batches/packed-numbers.ts'
import { KeyIndex } from './key-index.ts'
import type { LinkBits } from './link-bits.ts'

/** 16 MB of keys: a question about a year reads the keys of five seasons. */
const MAX_LINKS = 2_000_000

/** The keys of the links and pages that had clicks in a season: a link's number is its place. New ones come at the end. */
export function unpackKeys(packed: Uint8Array): Float64Array {
  const bytes = aligned(packed)
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
}

/** What a season's keys become with those of a week. */
export interface NumberedLinks {
  readonly numbers: Uint32Array
  /** How many links the season has then: the numbers are less. */
  readonly limit: number
  /** All keys of the season, if there are new ones among them. */
  readonly keys: Uint8Array<ArrayBuffer> | undefined
}

/** `undefined`: these would be too many. */
export function numberLinks(known: Uint8Array, keys: Float64Array): NumberedLinks | undefined {
  const before = unpackKeys(known)
  const index = new KeyIndex(before)
  const added: number[] = []
  const numbers = new Uint32Array(keys.length)
  for (let link = 0; link < keys.length; link++) {
    const place = index.placeOf(keys[link]!)
    numbers[link] = place === -1 ? before.length + added.push(keys[link]!) - 1 : place
  }
  const limit = before.length + added.length
  if (limit > MAX_LINKS) return undefined
  if (added.length === 0) return { numbers, limit, keys: undefined }
  const all = new Float64Array(limit)
  all.set(before)
  all.set(added, before.length)
  return { numbers, limit, keys: new Uint8Array(all.buffer) }
}

/** The links of a season that are wanted. */
export function markKeys(keys: Float64Array, wanted: KeyIndex): LinkBits {
  const bits = new Uint32Array(Math.ceil(keys.length / 32))
  for (let link = 0; link < keys.length; link++)
    if (wanted.placeOf(keys[link]!) !== -1) bits[link >>> 5]! |= 1 << (link & 31)
  return { bits, limit: keys.length }
}
