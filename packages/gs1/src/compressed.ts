import { valueFault } from './values.ts'
import { identifierOf } from './identifiers.ts'
import { qualifiersOf } from './keys.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** A key and its value take no more characters than this, and no fewer than `LEAST`. */
const MOST = 14
const LEAST = 10

/**
 * Whether a path segment is a compressed GS1 Digital Link: Base64 that begins with the digits of a primary key, four bits each,
 * and with the number that is its value, whose check digit is right. One in a thousand random texts looks the same, so this is
 * asked only of paths that are nothing else. Keys with letters in their value are not recognised.
 */
export function isCompressed(segment: string): boolean {
  if (segment.length < LEAST || !/^[\w-]*$/.test(segment)) return false
  let bits = ''
  for (const character of segment.slice(0, MOST))
    bits += ALPHABET.indexOf(character).toString(2).padStart(6, '0')
  const nibbles = [0, 4, 8, 12].map((at) => parseInt(bits.slice(at, at + 4), 2))
  // From 0A to 1F: the most frequent combinations, which all begin with a GTIN.
  if ((nibbles[0] ?? 0) < 2 && (nibbles[1] ?? 0) > 9) return isValue('01', bits.slice(8))
  return [2, 3, 4].some((length) => {
    const key = nibbles.slice(0, length).join('')
    return key.length === length && qualifiersOf(key) !== undefined && isValue(key, bits.slice(4 * length))
  })
}

/** Whether bits begin with a right value of a key, as a binary number. */
function isValue(key: string, bits: string): boolean {
  const digits = (identifierOf(key)?.components ?? []).reduce(
    (sum, { set, max, isOptional }) => (set === 'N' && isOptional !== true ? sum + max : sum),
    0,
  )
  const length = Math.ceil(digits * Math.log2(10))
  if (digits === 0 || bits.length < length) return false
  const value = BigInt(`0b${bits.slice(0, length)}`)
    .toString()
    .padStart(digits, '0')
  return valueFault(key, value) === undefined
}
