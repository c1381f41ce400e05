import { align, aligned } from '../batches/packed-numbers.ts'
import { grouped } from './grouping.ts'
import { type LinkSets, LinkSetsWriter, sumSets, type WantedLinks } from './link-sets.ts'

/**
 * How often each value came up with each link: a table of values and links that is nearly empty. The counts of a value are
 * written in binary, and for each digit there is the set of links whose count has it. Most counts are small, so a value
 * has few sets, and links that are wanted are counted in a set without looking at one link after the other.
 */
export interface LinkCounts extends LinkSets {
  /** The values, if they are texts. */
  readonly texts: readonly string[]
  /** By value: how many sets it has. */
  readonly setsOf: Uint8Array
}

const VERSION = 1
/** Version, values, bytes of the heads, words of the bitmaps, bytes of the steps, bytes of the texts. */
const HEADER_NUMBERS = 6

/** Takes what came up with one link after the other. */
export class LinkCountsWriter {
  readonly #links: Uint32Array
  readonly #values: Uint32Array
  readonly #counts: Uint32Array
  #added = 0

  constructor(mostEntries: number) {
    this.#links = new Uint32Array(mostEntries)
    this.#values = new Uint32Array(mostEntries)
    this.#counts = new Uint32Array(mostEntries)
  }

  add(link: number, value: number, count: number): void {
    this.#links[this.#added] = link
    this.#values[this.#added] = value
    this.#counts[this.#added++] = count
  }

  pack(texts: readonly string[], values: number): Uint8Array {
    const sets = new LinkSetsWriter()
    const setsOf = this.#putSets(values, sets)
    const json = Buffer.from(JSON.stringify(texts))
    const [heads, bitmaps, steps] = [sets.heads.all, sets.bitmaps.all, sets.steps.all]
    const bitmapsAt = align(4 * HEADER_NUMBERS + json.length)
    const setsAt = bitmapsAt + bitmaps.length
    const bytes = new Uint8Array(setsAt + values + heads.length + steps.length)
    const header = [VERSION, values, heads.length, bitmaps.length / 4, steps.length, json.length]
    new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS).set(header)
    bytes.set(json, 4 * HEADER_NUMBERS)
    bytes.set(bitmaps, bitmapsAt)
    bytes.set(setsOf, setsAt)
    bytes.set(heads, setsAt + values)
    bytes.set(steps, setsAt + values + heads.length)
    return bytes
  }

  #putSets(values: number, sets: LinkSetsWriter): Uint8Array {
    const { starts, order } = grouped(this.#values.subarray(0, this.#added), values)
    const links = order.map((entry) => this.#links[entry]!)
    const counts = order.map((entry) => this.#counts[entry]!)
    const setsOf = new Uint8Array(values)
    const members = new Uint32Array(this.#added)
    for (let value = 0; value < values; value++) {
      const [begin, end] = [starts[value]!, starts[value + 1]!]
      let digits = 0
      for (let at = begin; at < end; at++) digits |= counts[at]!
      for (let digit = 0; digits >>> digit !== 0; digit++) {
        let found = 0
        for (let at = begin; at < end; at++)
          if (((counts[at]! >>> digit) & 1) === 1) members[found++] = links[at]!
        if (found === 0) continue
        sets.add(digit, members, found)
        setsOf[value]!++
      }
    }
    return setsOf
  }
}

export function unpackCounts(packed: Uint8Array): LinkCounts {
  const { buffer, byteOffset } = aligned(packed)
  const header = new Uint32Array(buffer, byteOffset, HEADER_NUMBERS)
  const [version, values = 0, headBytes = 0, words = 0, stepBytes = 0, textBytes = 0] = header
  if (version !== VERSION) throw new Error('Sums of a version that is not known')
  const bitmapsAt = byteOffset + align(4 * HEADER_NUMBERS + textBytes)
  const setsAt = bitmapsAt + 4 * words
  const json = Buffer.from(buffer, byteOffset + 4 * HEADER_NUMBERS, textBytes).toString()
  return {
    texts: JSON.parse(json) as string[],
    bitmaps: new Uint32Array(buffer, bitmapsAt, words),
    setsOf: new Uint8Array(buffer, setsAt, values),
    heads: new Uint8Array(buffer, setsAt + values, headBytes),
    steps: new Uint8Array(buffer, setsAt + values + headBytes, stepBytes),
  }
}

/** By value: its count for the links that are wanted, added up. */
export const sumsOf = (counts: LinkCounts, wanted: WantedLinks): Float64Array =>
  sumSets(counts.setsOf, counts, wanted)
