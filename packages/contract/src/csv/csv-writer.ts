/** What a spreadsheet would take for the beginning of a formula, behind any number of apostrophes of our own. */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/

/** A text that begins with an apostrophe gets one more, so that reading can remove exactly one. */
const guarded = (text: string): string => (FORMULA.test(text) ? `'${text}` : text)

/** What a cell said before it was kept from being a formula: takes away exactly what the writer puts there. */
export const unguarded = (text: string): string =>
  text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text

/** A cell that a spreadsheet shows as it is: quoted where any of them would split it, and never taken for a formula. */
const cell = (value: string | number | null): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = guarded(value)
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Rows as RFC 4180 has them. */
export const toCsv = (rows: readonly (readonly (string | number | null)[])[]): string =>
  rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
