import { align, aligned } from '../batches/packed-numbers.ts'

/**
 * How often each value came up with each link: a table of values and links that is nearly empty. Entries stand value by
 * value, and in the order of the links. An entry is two bytes: how many links after the one before, and how often. What
 * does not fit has entries without a count in between, or stands apart. Adding up a value is one plain loop over bytes.
 */
export interface SparseCounts {
  /** The values, if they are texts. */
  readonly texts: readonly string[]
  /** By value: where its entries begin; one more for the end. */
  readonly starts: Uint32Array
  readonly steps: Uint8Array
  readonly counts: Uint8Array
  /** Link, value, and what is past 255: three numbers each. */
  readonly more: Uint32Array
}

const VERSION = 1
const MOST = 255
/** Version, values, entries, numbers of `more`, bytes of the texts. */
const HEADER_NUMBERS = 5

/** Takes what came up with one link after the other. */
export class SparseWriter {
  readonly #links: Uint32Array
  readonly #values: Uint32Array
  readonly #counts: Uint8Array
  readonly #more: number[] = []
  #added = 0

  constructor(mostEntries: number) {
    this.#links = new Uint32Array(mostEntries)
    this.#values = new Uint32Array(mostEntries)
    this.#counts = new Uint8Array(mostEntries)
  }

  add(link: number, value: number, count: number): void {
    this.#links[this.#added] = link
    this.#values[this.#added] = value
    this.#counts[this.#added++] = Math.min(count, MOST)
    if (count > MOST) this.#more.push(link, value, count - MOST)
  }

  pack(texts: readonly string[], values: number): Uint8Array {
    const starts = this.#starts(values)
    const entries = starts[values]!
    const json = Buffer.from(JSON.stringify(texts))
    const moreAt = align(4 * HEADER_NUMBERS + json.length)
    const startsAt = moreAt + 4 * this.#more.length
    const stepsAt = startsAt + 4 * starts.length
    const bytes = new Uint8Array(stepsAt + 2 * entries)
    const header = [VERSION, values, entries, this.#more.length, json.length]
    new Uint32Array(bytes.buffer, 0, HEADER_NUMBERS).set(header)
    bytes.set(json, 4 * HEADER_NUMBERS)
    new Uint32Array(bytes.buffer, moreAt, this.#more.length).set(this.#more)
    new Uint32Array(bytes.buffer, startsAt, starts.length).set(starts)
    this.#putEntries(starts, bytes.subarray(stepsAt, stepsAt + entries), bytes.subarray(stepsAt + entries))
    return bytes
  }

  /** Calls with every entry and the link of the value's entry before it. */
  #eachStep(values: number, take: (at: number, value: number, step: number) => void): void {
    const last = new Uint32Array(values)
    for (let at = 0; at < this.#added; at++) {
      const [link, value] = [this.#links[at]!, this.#values[at]!]
      take(at, value, link - last[value]!)
      last[value] = link
    }
  }

  #starts(values: number): Uint32Array {
    const starts = new Uint32Array(values + 1)
    this.#eachStep(values, (_at, value, step) => (starts[value + 1]! += Math.max(1, Math.ceil(step / MOST))))
    for (let value = 0; value < values; value++) starts[value + 1]! += starts[value]!
    return starts
  }

  #putEntries(starts: Uint32Array, steps: Uint8Array, counts: Uint8Array): void {
    const next = starts.slice()
    this.#eachStep(starts.length - 1, (at, value, step) => {
      let left = step
      for (; left > MOST; left -= MOST) steps[next[value]!++] = MOST
      const place = next[value]!++
      steps[place] = left
      counts[place] = this.#counts[at]!
    })
  }
}

export function unpackSparse(packed: Uint8Array): SparseCounts {
  const { buffer, byteOffset } = aligned(packed)
  const header = new Uint32Array(buffer, byteOffset, HEADER_NUMBERS)
  const [version, values = 0, entries = 0, moreNumbers = 0, textBytes = 0] = header
  if (version !== VERSION) throw new Error('Sums of a version that is not known')
  const moreAt = byteOffset + align(4 * HEADER_NUMBERS + textBytes)
  const startsAt = moreAt + 4 * moreNumbers
  const stepsAt = startsAt + 4 * (values + 1)
  const json = Buffer.from(buffer, byteOffset + 4 * HEADER_NUMBERS, textBytes).toString()
  return {
    texts: JSON.parse(json) as string[],
    more: new Uint32Array(buffer, moreAt, moreNumbers),
    starts: new Uint32Array(buffer, startsAt, values + 1),
    steps: new Uint8Array(buffer, stepsAt, entries),
    counts: new Uint8Array(buffer, stepsAt + entries, entries),
  }
}

/** Of a link that is wanted; of others it is 0. */
export const WANTED = 255

/** By value: its count for the links that are marked as wanted, added up. */
export function sumsOf({ starts, steps, counts, more }: SparseCounts, marks: Uint8Array): Float64Array {
  const sums = new Float64Array(starts.length - 1)
  for (let value = 0; value < sums.length; value++) {
    const end = starts[value + 1]!
    let [link, sum] = [0, 0]
    for (let at = starts[value]!; at < end; at++) {
      // Without a branch, and as 32-bit numbers: a third less time.
      link = (link + steps[at]!) | 0
      sum = (sum + (counts[at]! & marks[link]!)) | 0
    }
    sums[value] = sum
  }
  for (let n = 0; n < more.length; n += 3) if (marks[more[n]!] === WANTED) sums[more[n + 1]!]! += more[n + 2]!
  return sums
}
