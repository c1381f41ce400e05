const ZERO = 48

/** The GS1 check digit: from the right, digits count three times and once alternately. */
export function checkDigit(digits: string): string {
  let sum = 0
  for (let at = 0; at < digits.length; at++)
    sum += (digits.charCodeAt(digits.length - 1 - at) - ZERO) * (at % 2 === 0 ? 3 : 1)
  return String((10 - (sum % 10)) % 10)
}

/** The characters that count in a check pair, each by its place (GS1 General Specifications, figure 7.11-1). */
export const SET_82 = '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz'
const SET_32 = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const WEIGHTS = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83]

/** The check pair of a Global Model Number; undefined for a text that is too long or has other characters. */
export function checkPair(text: string): string | undefined {
  if (text.length > WEIGHTS.length) return undefined
  let sum = 0
  for (let at = 0; at < text.length; at++) {
    const place = SET_82.indexOf(text.charAt(at))
    if (place < 0) return undefined
    sum += place * (WEIGHTS[text.length - 1 - at] ?? 0)
  }
  const rest = sum % 1021
  return SET_32.charAt(rest >> 5) + SET_32.charAt(rest & 31)
}

/** A GTIN of 8, 12 or 13 digits with zeros in front; anything else as it is. */
export function padGtin(value: string): string {
  return /^(?:\d{8}|\d{12,13})$/.test(value) ? value.padStart(14, '0') : value
}
