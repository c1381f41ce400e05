/** Links of a season by number: a bit for each. */
export interface LinkBits {
  readonly bits: Uint32Array
  /** The numbers are less than this. */
  readonly limit: number
}

export function bitsOf(numbers: Uint32Array, limit: number): LinkBits {
  const bits = new Uint32Array(Math.ceil(limit / 32))
  for (const number of numbers) bits[number >>> 5]! |= 1 << (number & 31)
  return { bits, limit }
}

/** How many bits of 32 are set: counted in pairs, fours and eights side by side. */
export function bitCount(bits: number): number {
  let word = bits | 0
  word = (word - ((word >>> 1) & 0x55_55_55_55)) | 0
  word = ((word & 0x33_33_33_33) + ((word >>> 2) & 0x33_33_33_33)) | 0
  word = ((word + (word >>> 4)) | 0) & 0x0f_0f_0f_0f
  return Math.imul(word, 0x01_01_01_01) >>> 24
}
