import type { Bars } from '../symbology.ts'
import { fromWidths } from './widths.ts'

// ISO/IEC 16390: five widths per digit, two of them wide; GS1 requires wide to be 2.25 to 3 times narrow.
const DIGITS = [
  '11331',
  '31113',
  '13113',
  '33111',
  '11313',
  '31311',
  '13311',
  '11133',
  '31131',
  '13131',
] as const
const START = '1111'
const STOP = '311'

/** Encodes 14 digits, including the check digit, as ITF-14: bars for one digit, the spaces between them for the next. */
export function encodeItf14(digits: string): Bars {
  let widths = START
  for (let at = 0; at < digits.length; at += 2) {
    const [bars, spaces] = [DIGITS[Number(digits[at])] ?? '', DIGITS[Number(digits[at + 1])] ?? '']
    for (let index = 0; index < bars.length; index++) widths += `${bars[index]}${spaces[index]}`
  }
  return fromWidths(widths + STOP)
}
