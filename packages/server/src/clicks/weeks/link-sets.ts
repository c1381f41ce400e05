/** Sets of links of a week, one after the other, each in the form that takes fewer bytes. */
export interface LinkSets {
  /** Of each set: its digit and form in a byte, then how long it is, seven bits a byte. */
  readonly heads: Uint8Array
  /** A bit for each link, up to the last one that is in the set. */
  readonly bitmaps: Uint32Array
  /** How many links after the one before; 255 stands for so many without one that is in the set. */
  readonly steps: Uint8Array
}

/** The links of a week that are wanted, for both forms. */
export interface WantedLinks {
  /** By link: 1 or 0. */
  readonly marks: Uint8Array
  /** The same, a bit for each link. */
  readonly bits: Uint32Array
}

const IS_BITMAP = 0x20
const DIGIT = 0x1f
const MORE = 0x80
const FILLER = 255

export class LinkSetsWriter {
  readonly heads = new GrowingBytes()
  readonly bitmaps = new GrowingBytes()
  readonly steps = new GrowingBytes()

  /** The first `count` of `links`, which are in order. */
  add(digit: number, links: Uint32Array, count: number): void {
    const words = (links[count - 1]! >>> 5) + 1
    const stepBytes = stepBytesOf(links, count)
    if (4 * words <= stepBytes) {
      this.#putHead(digit | IS_BITMAP, words)
      this.#putBits(links, count, this.bitmaps.extend(4 * words))
    } else {
      this.#putHead(digit, stepBytes)
      this.#putSteps(links, count, this.steps.extend(stepBytes))
    }
  }

  #putHead(form: number, length: number): void {
    this.heads.push(form)
    let left = length
    for (; left >= MORE; left >>>= 7) this.heads.push((left & (MORE - 1)) | MORE)
    this.heads.push(left)
  }

  #putBits(links: Uint32Array, count: number, at: number): void {
    const { bytes } = this.bitmaps
    for (let n = 0; n < count; n++) bytes[at + (links[n]! >>> 3)]! |= 1 << (links[n]! & 7)
  }

  #putSteps(links: Uint32Array, count: number, begin: number): void {
    const { bytes } = this.steps
    let [at, last] = [begin, 0]
    for (let n = 0; n < count; n++) {
      let step = links[n]! - last
      last = links[n]!
      for (; step >= FILLER; step -= FILLER) bytes[at++] = FILLER
      bytes[at++] = step
    }
  }
}

function stepBytesOf(links: Uint32Array, count: number): number {
  let [bytes, last] = [count, 0]
  for (let n = 0; n < count; n++) {
    const step = links[n]! - last
    if (step >= FILLER) bytes += Math.floor(step / FILLER)
    last = links[n]!
  }
  return bytes
}

class GrowingBytes {
  bytes = new Uint8Array(4_096)
  length = 0

  push(byte: number): void {
    const at = this.extend(1)
    this.bytes[at] = byte
  }

  /** Adds bytes that are 0; where they begin. */
  extend(count: number): number {
    const at = this.length
    this.length += count
    if (this.length > this.bytes.length) {
      const larger = new Uint8Array(2 * this.length)
      larger.set(this.bytes)
      this.bytes = larger
    }
    return at
  }

  get all(): Uint8Array {
    return this.bytes.subarray(0, this.length)
  }
}

/**
 * By value: how many of its sets' links are wanted, each times what its digit is worth. `setsOf` is how many sets a value
 * has. One function for all of them: most sets have so few links that a call for each would take most of the time.
 */
export function sumSets(setsOf: Uint8Array, sets: LinkSets, { marks, bits }: WantedLinks): Float64Array {
  const { heads, bitmaps, steps } = sets
  const sums = new Float64Array(setsOf.length)
  let [head, word, step] = [0, 0, 0]
  for (let value = 0; value < setsOf.length; value++) {
    let sum = 0
    for (let left = setsOf[value]!; left > 0; left--) {
      const form = heads[head++]!
      let [length, shift] = [0, 0]
      for (let byte = MORE; byte >= MORE; shift += 7) {
        byte = heads[head++]!
        length |= (byte & (MORE - 1)) << shift
      }
      let found = 0
      if ((form & IS_BITMAP) !== 0) {
        found = commonBits(bitmaps, word, word + length, bits)
        word += length
      } else {
        found = markedSteps(steps, step, step + length, marks)
        step += length
      }
      sum += found * (1 << (form & DIGIT))
    }
    sums[value] = sum
  }
  return sums
}

function commonBits(bitmaps: Uint32Array, begin: number, end: number, bits: Uint32Array): number {
  let found = 0
  for (let at = begin; at < end; at++) {
    // The bits of a word, counted in pairs, fours and eights side by side.
    let word = bitmaps[at]! & bits[at - begin]!
    word -= (word >>> 1) & 0x55_55_55_55
    word = (word & 0x33_33_33_33) + ((word >>> 2) & 0x33_33_33_33)
    word = (word + (word >>> 4)) & 0x0f_0f_0f_0f
    found = (found + (Math.imul(word, 0x01_01_01_01) >>> 24)) | 0
  }
  return found
}

function markedSteps(steps: Uint8Array, begin: number, end: number, marks: Uint8Array): number {
  let [link, found] = [0, 0]
  for (let at = begin; at < end; at++) {
    const step = steps[at]!
    link = (link + step) | 0
    // Without a branch: all ones for a step, 0 for a filler.
    found = (found + (marks[link]! & ((step - FILLER) >> 31))) | 0
  }
  return found
}
