import { CodeError } from '../code-error.ts'
import type { Bars } from '../symbology.ts'
import { fromWidths } from './widths.ts'

const CHARACTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-. $/+%*'
const START_AND_STOP = '*'

// ISO/IEC 16388: widths of alternating bars and spaces, wide ones three times as wide, in the order of CHARACTERS.
const PATTERNS = `
  111331311 311311113 113311113 313311111 111331113 311331111 113331111 111311313 311311311 113311311
  311113113 113113113 313113111 111133113 311133111 113133111 111113313 311113311 113113311 111133311
  311111133 113111133 313111131 111131133 311131131 113131131 111111333 311111331 113111331 111131331
  331111113 133111113 333111111 131131113 331131111 133131111 131111313 331111311 133111311 131313111
  131311131 131113131 111313131 131131311
`
  .trim()
  .split(/\s+/)

/** Encodes capital letters, digits and some punctuation as Code 39. */
export function encodeCode39(text: string): Bars {
  if (!/^[0-9A-Z. $/+%-]*$/.test(text))
    throw new CodeError(
      'unencodable',
      'Code 39 holds capital letters, digits, spaces and the characters - . $ / + % only',
    )
  const whole = Array.from(START_AND_STOP + text + START_AND_STOP)
  // A narrow space separates characters.
  return fromWidths(whole.map((character) => PATTERNS[CHARACTERS.indexOf(character)]!).join('1'))
}
