import { aligned } from '../batches/packed-numbers.ts'
import { KeyIndex } from './key-index.ts'
import type { NumbersOfWeek } from './week-links.ts'

/** 16 MB of keys: a question about a year reads the keys of five seasons. */
const MAX_LINKS = 2_000_000

/** The keys of the links and pages that had clicks in a season: a link's number is its place. New ones come at the end. */
export function unpackKeys(packed: Uint8Array): Float64Array {
  const bytes = aligned(packed)
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
}

/** What a season's keys become with those of a week. */
export interface NumberedLinks extends NumbersOfWeek {
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

/** By number: 1 for the links of a season that are wanted. */
export function markKeys(keys: Float64Array, wanted: KeyIndex): Uint8Array {
  const marks = new Uint8Array(keys.length)
  for (let link = 0; link < keys.length; link++) marks[link] = wanted.placeOf(keys[link]!) === -1 ? 0 : 1
  return marks
}
