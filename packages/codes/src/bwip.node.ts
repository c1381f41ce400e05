import bwip from '@bwip-js/node'
import { PDF417_ROW } from './symbology.ts'
import type { Bars, Symbology } from './symbology.ts'

type RawSymbol = { sbs: number[] } | { pixs: number[]; pixx: number; pixy: number }

/** The modules of a barcode, as the encoder itself hands them out. */
export function modulesOf(text: string, symbology: Symbology): Bars {
  const encoder = symbology === 'aztec' ? 'azteccode' : symbology
  // The named export `raw` is a barcode of that name; the one that hands out modules is on the default export alone.
  // oxlint-disable-next-line import/no-named-as-default-member -- see above
  const [symbol]: RawSymbol[] = bwip.raw(encoder, text, {})
  if (symbol === undefined) throw new Error('The encoder gave no symbol')
  if ('sbs' in symbol) return fromWidths(symbol.sbs)
  return {
    columns: symbol.pixx,
    rows: symbol.pixs.length / symbol.pixx,
    cells: Uint8Array.from(symbol.pixs),
    rowModules: symbology === 'pdf417' ? PDF417_ROW : 1,
  }
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
