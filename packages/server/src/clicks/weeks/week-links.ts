import { aligned } from '../batches/packed-numbers.ts'
import type { Batch } from '../batches/batch.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { type Grouped, grouped } from './grouping.ts'
import { bitCount, bitsOf, type LinkBits } from './link-bits.ts'
import { numberLinks } from './season-links.ts'

/** The links and pages of a week's clicks, and the clicks (by their place in the week) in the order of them. */
export interface WeekLinks extends Grouped {
  /** In the order of their numbers in the season: this is a link's place in the week. */
  readonly links: LinkBits
  readonly count: number
  /** All keys of the season, if the week has new ones. */
  readonly seasonKeys: Uint8Array | undefined
}

/** `undefined`: the season would have too many links. */
export function linksOfWeek(batches: readonly Batch[], knownKeys: Uint8Array): WeekLinks | undefined {
  const batchKeys = batches.map(({ columns }) => columns.resourceUuid.texts.map(scopeKey))
  const found = new Map<number, number>()
  for (const key of batchKeys.flat()) if (!found.has(key)) found.set(key, found.size)
  const numbered = numberLinks(knownKeys, Float64Array.from(found.keys()))
  if (numbered === undefined) return undefined
  const { numbers, limit, keys } = numbered
  const placeOf = new Uint32Array(limit)
  numbers.toSorted().forEach((number, place) => (placeOf[number] = place))
  const linkOf = new Uint32Array(batches.reduce((sum, batch) => sum + batch.clicks, 0))
  let click = 0
  batches.forEach((batch, n) => {
    const own = Uint32Array.from(batchKeys[n] ?? [], (key) => placeOf[numbers[found.get(key) ?? 0]!]!)
    const { indexes } = batch.columns.resourceUuid
    for (let at = 0; at < batch.clicks; at++) linkOf[click++] = own[indexes?.[at] ?? 0]!
  })
  return {
    links: bitsOf(numbers, limit),
    count: numbers.length,
    seasonKeys: keys,
    ...grouped(linkOf, numbers.length),
  }
}

/** The limit in four bytes; then the bits. */
export function packLinks({ bits, limit }: LinkBits): Uint8Array {
  const packed = new Uint32Array(bits.length + 1)
  packed[0] = limit
  packed.set(bits, 1)
  return new Uint8Array(packed.buffer)
}

export function unpackLinks(packed: Uint8Array): LinkBits {
  const { buffer, byteOffset, length } = aligned(packed)
  const [limit = 0] = new Uint32Array(buffer, byteOffset, 1)
  return { bits: new Uint32Array(buffer, byteOffset + 4, length / 4 - 1), limit }
}

/** Some links of a week, in the form that takes less time to add up: themselves, or all that are not among them. */
export interface ChosenLinks {
  /** Places of links to add up, in order. */
  readonly places: Uint32Array
  /** Whether these are the links that are not wanted: their sums are to be taken from those of all links. */
  readonly isRest: boolean
}

/** The links of a week that are wanted in its season. */
export function chooseLinks({ bits: present }: LinkBits, { bits: wanted }: LinkBits): ChosenLinks {
  let [links, found] = [0, 0]
  for (let at = 0; at < present.length; at++) {
    links += bitCount(present[at]!)
    found += bitCount(present[at]! & wanted[at]!)
  }
  const isRest = 2 * found > links
  const flipped = isRest ? -1 : 0
  const places = new Uint32Array(isRest ? links - found : found)
  let [before, chosen] = [0, 0]
  for (let at = 0; at < present.length; at++) {
    const word = present[at]!
    for (let left = word & (wanted[at]! ^ flipped); left !== 0; left &= left - 1)
      places[chosen++] = before + bitCount(word & ((left & -left) - 1))
    before += bitCount(word)
  }
  return { places, isRest }
}
