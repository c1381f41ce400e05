/** The scope of all links of a user together. */
export const ALL_LINKS = 0

/** By character code: the value of a hexadecimal digit. */
const DIGITS = Uint8Array.from(
  { length: 128 },
  (_, char) => Number.parseInt(String.fromCharCode(char), 16) || 0,
)

/**
 * Figures are kept under numbers: 52 random bits of the uuid they belong to. As keys of a table that is written
 * with every click they are a sixth of the uuid's text in size. Two links of ten million share one with a chance
 * of one in a hundred, and mix figures only if they are the same user's, for the user's own number comes first.
 */
export function scopeKey(uuid: string): number {
  // Digit by digit in a third of the time that parsing the text takes: statistics of a tag have thousands of them.
  let high = DIGITS[uuid.charCodeAt(22)]!
  for (let at = 24; at < 28; at++) high = high * 16 + DIGITS[uuid.charCodeAt(at)]!
  let low = 0
  for (let at = 28; at < 36; at++) low = (low << 4) | DIGITS[uuid.charCodeAt(at)]!
  // Never the number of all links together, whatever the chance.
  return high * 2 ** 32 + (low >>> 0) || 1
}

export function scopeKeys(uuids: readonly string[]): Float64Array<ArrayBuffer> {
  const keys = new Float64Array(uuids.length)
  for (let at = 0; at < uuids.length; at++) keys[at] = scopeKey(uuids[at]!)
  return keys
}
