import { aligned } from '../batches/packed-numbers.ts'
import type { Batch } from '../batches/batch.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { WANTED } from './sparse-counts.ts'

/** The links and pages of a week's clicks, and the clicks in the order of them. */
export interface WeekLinks {
  /** In order, without repetition: a link's number is its place here. */
  readonly keys: Float64Array<ArrayBuffer>
  /** By link: where its clicks begin in `order`; one more for the end. */
  readonly starts: Uint32Array
  /** Clicks of all batches, by their place in the week. */
  readonly order: Uint32Array
}

export function linksOfWeek(batches: readonly Batch[]): WeekLinks {
  const batchKeys = batches.map(({ columns }) => columns.resourceUuid.texts.map(scopeKey))
  const keys = Float64Array.from(new Set(batchKeys.flat())).sort()
  const numbers = new Map(Array.from(keys, (key, number) => [key, number]))
  const clicks = batches.reduce((sum, batch) => sum + batch.clicks, 0)
  const linkOf = new Uint32Array(clicks)
  let place = 0
  batches.forEach((batch, n) => {
    const own = Uint32Array.from(batchKeys[n] ?? [], (key) => numbers.get(key) ?? 0)
    const { indexes } = batch.columns.resourceUuid
    for (let at = 0; at < batch.clicks; at++) linkOf[place++] = own[indexes?.[at] ?? 0]!
  })
  return { keys, ...grouped(linkOf, keys.length) }
}

/** Counts how many clicks each link has, then puts each click in its place. */
function grouped(linkOf: Uint32Array, links: number): Pick<WeekLinks, 'starts' | 'order'> {
  const starts = new Uint32Array(links + 1)
  for (const link of linkOf) starts[link + 1]!++
  for (let link = 0; link < links; link++) starts[link + 1]! += starts[link]!
  const next = starts.slice()
  const order = new Uint32Array(linkOf.length)
  for (let place = 0; place < linkOf.length; place++) order[next[linkOf[place]!]!++] = place
  return { starts, order }
}

export function packKeys(keys: Float64Array<ArrayBuffer>): Uint8Array {
  return new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength)
}

export function unpackKeys(packed: Uint8Array): Float64Array {
  const bytes = aligned(packed)
  return new Float64Array(bytes.buffer, bytes.byteOffset, bytes.length / 8)
}

/** By number of a link: whether it is wanted. Both are in order. */
export function markKeys(keys: Float64Array, wanted: Float64Array): Uint8Array {
  const marks = new Uint8Array(keys.length)
  let n = 0
  for (let link = 0; link < keys.length; link++) {
    const key = keys[link]!
    while (n < wanted.length && wanted[n]! < key) n++
    if (wanted[n] === key) marks[link] = WANTED
  }
  return marks
}
