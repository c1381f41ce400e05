import bwip from '#bwip'
import { CodeError } from './code-error.ts'

/** The barcode languages on offer. */
export type Symbology = 'code128' | 'datamatrix' | 'pdf417' | 'aztec'

/** The dark and light modules of a barcode; linear ones have a single row. */
export interface Bars {
  columns: number
  rows: number
  /** Row by row, 1 is dark. */
  cells: Uint8Array
  /** Height of a row in modules; 0 for linear ones, whose bars are as high as you like. */
  rowModules: number
}

const ENCODERS: Record<Symbology, string> = {
  code128: 'code128',
  datamatrix: 'datamatrix',
  pdf417: 'pdf417',
  aztec: 'azteccode',
}

/** Text to modules in the given symbology. */
export function encodeBars(text: string, symbology: Symbology): Bars {
  const [symbol] = rawSymbol(text, symbology)
  if (symbol === undefined) throw new CodeError('unencodable', `This text has no form as ${symbology}`)
  if ('sbs' in symbol) return fromWidths(symbol.sbs)
  const rows = symbol.pixs.length / symbol.pixx
  return { columns: symbol.pixx, rows, cells: Uint8Array.from(symbol.pixs), rowModules: symbol.pixy / rows }
}

type RawSymbol = { sbs: number[] } | { pixs: number[]; pixx: number; pixy: number }

function rawSymbol(text: string, symbology: Symbology): RawSymbol[] {
  try {
    // The named export `raw` is a barcode of that name; the one that hands out modules is on the default export alone.
    // oxlint-disable-next-line import/no-named-as-default-member -- see above
    return bwip.raw(ENCODERS[symbology], text, {})
  } catch (error) {
    const reason = error instanceof Error ? error.message : ''
    if (/TooLong|TooMuchData|NoValidSymbol/.test(reason)) throw tooLong(error)
    throw new CodeError('unencodable', `This text has no form as ${symbology}`, { cause: error })
  }
}

/** The error for a text that no picture of allowed width can hold. */
export function tooLong(cause?: unknown): CodeError {
  return new CodeError(
    'too_long',
    'This address is too long for a barcode: set dynamic to true to encode a short link',
    {
      cause,
    },
  )
}

/** Bar and space widths by turns, the first a bar. */
function fromWidths(widths: readonly number[]): Bars {
  const columns = widths.reduce((sum, width) => sum + width, 0)
  const cells = new Uint8Array(columns)
  let at = 0
  for (const [index, width] of widths.entries()) {
    if (index % 2 === 0) cells.fill(1, at, at + width)
    at += width
  }
  return { columns, rows: 1, cells, rowModules: 0 }
}
