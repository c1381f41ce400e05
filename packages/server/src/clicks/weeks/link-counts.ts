import { align, aligned, numbersAt, type PackedNumbers, type Width } from '../batches/packed-numbers.ts'
import type { ChosenLinks } from './week-links.ts'

/**
 * How often each value came up with each link: a table of values and links that is nearly empty. It stands link after
 * link, so that a question takes time for the links that it is about.
 */
export interface LinkCounts {
  /** The values, if they are texts. */
  readonly texts: readonly string[]
  /** By value: its count for all links together. */
  readonly totals: Uint32Array
  /** By block of links: where its codes begin; one more for the end. */
  readonly starts: Uint32Array
  /** By link: where its codes begin in its block. Links after the last one with codes are left out. */
  readonly offsets: Uint16Array
  /**
   * Of each link: a value and its count as one number, a byte for most of them. Then, after a number that no code has,
   * values and counts that are too large for this. A count that is larger still is there in several pieces.
   */
  readonly codes: PackedNumbers
}

const SIZES = ['values', 'links', 'codes', 'textBytes'] as const
type Sizes = Readonly<Record<(typeof SIZES)[number], number>>

/** So few that an offset has two bytes, even if each link has each value. */
const BLOCK_BITS = 4
const BLOCK = 2 ** BLOCK_BITS
/** Codes have one byte if there are at most so many values. */
const MAX_IN_BYTES = 255
/** Two bytes could hold more codes, but a question looks at each of them. */
const MAX_CODES = 4_096

const codeWidth = (values: number): Width => (values <= MAX_IN_BYTES ? 1 : 2)
/** No code has this number. */
const endOfCodes = (values: number): number => (values <= MAX_IN_BYTES ? 0xff : 0xff_ff)

/** Counts up to this have a code: the value times this, and the count less one. */
const largestInCode = (values: number): number =>
  Math.floor((values <= MAX_IN_BYTES ? MAX_IN_BYTES : MAX_CODES) / Math.max(1, values))

/** Where each of them is. */
function layoutOf({ values, links, codes, textBytes }: Sizes) {
  const totals = 4 * SIZES.length
  const starts = totals + 4 * values
  const offsets = starts + 4 * (Math.ceil(links / BLOCK) + 1)
  const allCodes = align(offsets + 2 * links)
  const texts = allCodes + codes * codeWidth(values)
  return { totals, starts, offsets, codes: allCodes, texts, end: texts + textBytes }
}

function viewsOf(sizes: Sizes, buffer: ArrayBuffer, offset: number) {
  const { values, links, codes, textBytes } = sizes
  const layout = layoutOf(sizes)
  return {
    totals: new Uint32Array(buffer, offset + layout.totals, values),
    starts: new Uint32Array(buffer, offset + layout.starts, Math.ceil(links / BLOCK) + 1),
    offsets: new Uint16Array(buffer, offset + layout.offsets, links),
    codes: numbersAt(buffer, offset + layout.codes, codes, codeWidth(values)),
    json: new Uint8Array(buffer, offset + layout.texts, textBytes),
  }
}

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
    const json = Buffer.from(JSON.stringify(texts))
    const links = this.#added === 0 ? 0 : this.#links[this.#added - 1]! + 1
    const { codes, ends } = this.#codes(values, links)
    const sizes = { values, links, codes: codes.length, textBytes: json.length }
    const packed = new Uint8Array(layoutOf(sizes).end)
    const views = viewsOf(sizes, packed.buffer, 0)
    new Uint32Array(packed.buffer, 0, SIZES.length).set(SIZES.map((name) => sizes[name]))
    for (let at = 0; at < this.#added; at++) views.totals[this.#values[at]!]! += this.#counts[at]!
    for (let link = 0; link < links; link++) {
      const begin = ends[link - 1] ?? 0
      if (link % BLOCK === 0) views.starts[link / BLOCK] = begin
      views.offsets[link] = begin - views.starts[Math.floor(link / BLOCK)]!
    }
    views.starts[views.starts.length - 1] = codes.length
    views.codes.set(codes)
    views.json.set(json)
    return packed
  }

  /** All codes, and by link where its own end. */
  #codes(values: number, links: number) {
    const inCode = largestInCode(values)
    const most = endOfCodes(values)
    const [codes, ends] = [new GrowingNumbers(), new Uint32Array(links)]
    for (let begin = 0, link = 0; link < links; link++) {
      let end = begin
      for (; end < this.#added && this.#links[end] === link; end++)
        if (this.#counts[end]! <= inCode) codes.push(this.#values[end]! * inCode + this.#counts[end]! - 1)
      const small = codes.length
      for (let at = begin; at < end; at++)
        for (let left = this.#counts[at]! <= inCode ? 0 : this.#counts[at]!; left > 0; left -= most) {
          if (codes.length === small) codes.push(most)
          codes.push(this.#values[at]!)
          codes.push(Math.min(left, most))
        }
      ends[link] = codes.length
      begin = end
    }
    return { codes: codes.all, ends }
  }
}

class GrowingNumbers {
  #numbers = new Uint16Array(4_096)
  length = 0

  push(number: number): void {
    if (this.length === this.#numbers.length) {
      const larger = new Uint16Array(2 * this.length)
      larger.set(this.#numbers)
      this.#numbers = larger
    }
    this.#numbers[this.length++] = number
  }

  get all(): Uint16Array {
    return this.#numbers.subarray(0, this.length)
  }
}

export function unpackCounts(packed: Uint8Array): LinkCounts {
  const { buffer, byteOffset } = aligned(packed)
  const [values = 0, links = 0, codes = 0, textBytes = 0] = new Uint32Array(buffer, byteOffset, SIZES.length)
  const { json, ...views } = viewsOf({ values, links, codes, textBytes }, buffer, byteOffset)
  return { ...views, texts: JSON.parse(Buffer.from(json).toString()) as string[] }
}

/** By value: its count for the links that are wanted, added up. */
export function sumsOf(counts: LinkCounts, { places, isRest }: ChosenLinks): Float64Array {
  const { totals } = counts
  const sums = new Float64Array(totals.length)
  if (places.length > 0) addLinks(counts, places, sums)
  if (isRest) for (let value = 0; value < sums.length; value++) sums[value] = totals[value]! - sums[value]!
  return sums
}

function addLinks({ starts, offsets, codes }: LinkCounts, places: Uint32Array, sums: Float64Array): void {
  const inCode = largestInCode(sums.length)
  const last = endOfCodes(sums.length)
  // How often each code is there, and only then what it stands for.
  const times = new Uint32Array(sums.length * inCode)
  for (let n = 0; n < places.length && places[n]! < offsets.length; n++) {
    const link = places[n]!
    const block = link >>> BLOCK_BITS
    const next = link + 1
    const isLast = next >>> BLOCK_BITS !== block || next === offsets.length
    const end = isLast ? starts[block + 1]! : starts[block]! + offsets[next]!
    let at = starts[block]! + offsets[link]!
    for (; at < end; at++) {
      const code = codes[at]!
      if (code === last) break
      times[code]!++
    }
    for (at++; at < end; at += 2) sums[codes[at]!]! += codes[at + 1]!
  }
  for (let code = 0, value = 0; value < sums.length; value++)
    for (let count = 1; count <= inCode; count++) sums[value]! += count * times[code++]!
}
