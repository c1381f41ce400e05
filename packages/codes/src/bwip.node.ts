import bwip from '@bwip-js/node'
import { PDF417_ROW } from './symbology.ts'
import type { Bars, MatrixSymbology } from './symbology.ts'

type RawSymbol = { sbs: number[] } | { pixs: number[]; pixx: number; pixy: number }

/** The modules of a two-dimensional code, as the encoder itself hands them out. */
export async function modulesOf(
  text: string,
  symbology: MatrixSymbology,
  options: { parsefnc: boolean },
): Promise<Bars> {
  const encoder = symbology === 'aztec' ? 'azteccode' : symbology
  // The named export `raw` is a barcode of that name; the one that hands out modules is on the default export alone.
  // oxlint-disable-next-line import/no-named-as-default-member -- see above
  const [symbol]: RawSymbol[] = bwip.raw(encoder, text, options)
  if (symbol === undefined || !('pixs' in symbol)) throw new Error('The encoder gave no modules')
  return {
    columns: symbol.pixx,
    rows: symbol.pixs.length / symbol.pixx,
    cells: Uint8Array.from(symbol.pixs),
    rowModules: symbology === 'pdf417' ? PDF417_ROW : 1,
  }
}
