import type { Bars } from '../symbology.ts'

/** The bars of a linear code from widths by turns, one digit each, the first a bar. */
export function fromWidths(widths: string): Bars {
  let columns = 0
  for (const width of widths) columns += Number(width)
  const cells = new Uint8Array(columns)
  let at = 0
  for (let index = 0; index < widths.length; index++) {
    const width = Number(widths[index])
    if (index % 2 === 0) cells.fill(1, at, at + width)
    at += width
  }
  return { columns, rows: 1, cells, rowModules: 0 }
}
