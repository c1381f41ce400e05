import type { Bars } from '../symbology.ts'

/** Converts alternating widths, one digit each and beginning with a bar, to bars. */
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
