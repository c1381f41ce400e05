import bwip from '@bwip-js/node'
import { PDF417_ROW, symbologies } from './symbology.ts'
import { fromWidths } from './linear/widths.ts'
import type { Bars, LoadedSymbology } from './symbology.ts'

type RawSymbol = { sbs: number[] } | { pixs: number[]; pixx: number; pixy: number }

/** The modules of a code, as returned by the encoder. */
export async function modulesOf(
  text: string,
  symbology: LoadedSymbology,
  options: { parsefnc: boolean; lintreqs?: boolean },
): Promise<Bars> {
  // The named export `raw` is a barcode of that name; the function that returns modules is only on the default export.
  // oxlint-disable-next-line import/no-named-as-default-member -- see above
  const [symbol]: RawSymbol[] = bwip.raw(symbologies[symbology].bwip, text, options)
  if (symbol !== undefined && 'sbs' in symbol) return fromWidths(symbol.sbs.join(''))
  if (symbol === undefined) throw new Error('The encoder gave no modules')
  return {
    columns: symbol.pixx,
    rows: symbol.pixs.length / symbol.pixx,
    cells: Uint8Array.from(symbol.pixs),
    rowModules: symbology === 'pdf417' ? PDF417_ROW : 1,
  }
}
