import { shown, widthOf } from './shown.ts'

/** Rows under aligned columns. Names, titles and UTM values are chosen by other users and visitors. */
export function table(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(shown))
  const widths =
    cells[0]?.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? '')))) ?? []
  return cells
    .map((row) =>
      row
        .map((cell, at) => cell + ' '.repeat(Math.max(0, (widths[at] ?? 0) - widthOf(cell))))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
