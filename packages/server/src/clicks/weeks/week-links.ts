import { type PackedNumbers, aligned, numbersAt, widthBelow } from '../batches/packed-numbers.ts'
import type { Batch } from '../batches/batch.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { type Grouped, grouped } from './grouping.ts'
import type { WantedLinks } from './link-sets.ts'

/** The links and pages of a week's clicks, and the clicks (by their place in the week) in the order of them. */
export interface WeekLinks extends Grouped {
  /** A link's number is its place here. Those with most clicks come first: sets of links are shorter then. */
  readonly keys: Float64Array<ArrayBuffer>
}

export function linksOfWeek(batches: readonly Batch[]): WeekLinks {
  const batchKeys = batches.map(({ columns }) => columns.resourceUuid.texts.map(scopeKey))
  const numbers = new Map<number, number>()
  for (const key of batchKeys.flat()) if (!numbers.has(key)) numbers.set(key, numbers.size)
  const linkOf = new Uint32Array(batches.reduce((sum, batch) => sum + batch.clicks, 0))
  const clicks = new Uint32Array(numbers.size)
  let place = 0
  batches.forEach((batch, n) => {
    const own = Uint32Array.from(batchKeys[n] ?? [], (key) => numbers.get(key) ?? 0)
    const { indexes } = batch.columns.resourceUuid
    for (let at = 0; at < batch.clicks; at++) {
      const link = own[indexes?.[at] ?? 0]!
      linkOf[place++] = link
      clicks[link]!++
    }
  })
  const most = clicks.reduce((max, count) => Math.max(max, count), 0)
  const { order } = grouped(
    clicks.map((count) => most - count),
    most + 1,
  )
  const ranks = new Uint32Array(order.length)
  order.forEach((link, rank) => (ranks[link] = rank))
  const found = Float64Array.from(numbers.keys())
  return {
    keys: Float64Array.from(order, (link) => found[link]!),
    ...grouped(
      linkOf.map((link) => ranks[link]!),
      order.length,
    ),
  }
}

/** The links of a week, by their numbers among those of its season. */
export interface NumbersOfWeek {
  readonly numbers: PackedNumbers
  /** How many links the season had then, at least: the numbers are less. */
  readonly limit: number
}

/** The limit in four bytes; then the numbers. */
export function packNumbers({ numbers, limit }: NumbersOfWeek): Uint8Array {
  const width = widthBelow(limit)
  const bytes = new Uint8Array(4 + numbers.length * width)
  new Uint32Array(bytes.buffer, 0, 1)[0] = limit
  numbersAt(bytes.buffer, 4, numbers.length, width).set(numbers)
  return bytes
}

export function unpackNumbers(packed: Uint8Array): NumbersOfWeek {
  const { buffer, byteOffset, length } = aligned(packed)
  const [limit = 0] = new Uint32Array(buffer, byteOffset, 1)
  const width = widthBelow(limit)
  return { numbers: numbersAt(buffer, byteOffset + 4, (length - 4) / width, width), limit }
}

/** The links of a week that are marked in its season. */
export function wantedLinks(numbers: PackedNumbers, seasonMarks: Uint8Array): WantedLinks {
  const marks = new Uint8Array(numbers.length)
  const bits = new Uint32Array(Math.ceil(numbers.length / 32))
  for (let link = 0; link < numbers.length; link++) {
    const mark = seasonMarks[numbers[link]!]!
    marks[link] = mark
    bits[link >>> 5]! |= mark << (link & 31)
  }
  return { marks, bits }
}
