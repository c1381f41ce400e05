import type { Bars } from '../symbology.ts'
import { fromWidths } from './widths.ts'

// GS1 General Specifications, section 5.2: widths of a digit in the right half; in the left half bars and spaces are
// exchanged, or the digit is reversed.
const DIGITS = ['3211', '2221', '2122', '1411', '1132', '1231', '1114', '1312', '1213', '3112'] as const
const GUARD = '111'
const MIDDLE = '11111'

// Which of the left six digits are reversed, which encodes the first digit.
const REVERSED = [
  '000000',
  '001011',
  '001101',
  '001110',
  '010011',
  '011001',
  '011100',
  '010101',
  '010110',
  '011010',
] as const

const widthsOf = (digit: string): string => DIGITS[Number(digit)] ?? ''
const reversed = (text: string): string => Array.from(text).toReversed().join('')
const right = (digits: string): string => Array.from(digits, widthsOf).join('')

/** Encodes 13 digits, including the check digit, as EAN-13. */
export function encodeEan13(digits: string): Bars {
  const parity = REVERSED[Number(digits[0])] ?? REVERSED[0]
  const left = Array.from(digits.slice(1, 7), (digit, at) =>
    parity[at] === '1' ? reversed(widthsOf(digit)) : widthsOf(digit),
  )
  return fromWidths(GUARD + left.join('') + MIDDLE + right(digits.slice(7)) + GUARD)
}

/** Encodes 8 digits, including the check digit, as EAN-8. */
export function encodeEan8(digits: string): Bars {
  return fromWidths(GUARD + right(digits.slice(0, 4)) + MIDDLE + right(digits.slice(4)) + GUARD)
}

/** Encodes 12 digits, including the check digit, as UPC-A: an EAN-13 whose first digit is 0. */
export function encodeUpca(digits: string): Bars {
  return encodeEan13(`0${digits}`)
}
