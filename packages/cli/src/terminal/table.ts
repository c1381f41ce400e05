/** Rows under aligned columns. */
export function table(rows: readonly (readonly string[])[]): string {
  const shown = rows.map((row) => row.map(printable))
  const widths = shown[0]?.map((_, column) => Math.max(...shown.map((row) => row[column]?.length ?? 0))) ?? []
  return shown
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/**
 * Control characters could move the cursor, or hide and retitle what the terminal shows. Names, titles and UTM values are
 * chosen by other users and visitors.
 */
const printable = (text: string): string =>
  text.replaceAll(/[\t\r\n]+/g, ' ').replaceAll(/\p{Cc}/gu, '\uFFFD')
