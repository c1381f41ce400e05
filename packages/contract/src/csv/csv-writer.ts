/** What a spreadsheet would treat as a formula, after any number of our own apostrophes. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that begins with an apostrophe gets another one, so that reading can remove exactly one. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** The original text of a cell: removes exactly the apostrophe that the writer adds. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text

/** `text` may come from anyone and is never interpreted as a formula. `generated` by this server is written as it is. */
export type CsvColumn = 'text' | 'generated'

/** A cell for spreadsheets: quoted if it could be split. */
const cell = (value: string | number | null, column: CsvColumn = 'text'): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = column === 'text' ? guarded(value) : value
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as in RFC 4180. Columns without a kind are `text`. */
export const toCsv = (
  rows: readonly (readonly (string | number | null)[])[],
  columns: readonly CsvColumn[] = [],
): string => rows.map((row) => `${row.map((value, at) => cell(value, columns[at])).join(',')}\r\n`).join('')
