import { checkFirstRow, CsvFault, type CsvRecord, readCsv, unguarded } from '../csv/index.ts'
import {
  type Column,
  ImportFileFault,
  listed,
  type Meaning,
  MOST_ROWS,
  type OwnColumns,
  type RawFile,
  type RawRow,
  type ReadingOptions,
  tooMany,
} from './raw-row.ts'
import { readingOf } from './source-presets.ts'

/** A CSV file; its first record has the column names. */
export function readTable(text: string, own: OwnColumns, options: ReadingOptions): RawFile {
  rejectTooMany(text)
  const records = recordsOf(text)
  const head = records.next().value
  if (head === undefined) throw new ImportFileFault('The first row must contain column names')
  const { source, tagSeparator, columnOf, valueOf } = readingOf(head.cells, own, options)
  const columns = distinct(head.cells.map(columnOf), source, head.line)
  const hasLink = columns.some(({ meaning }) => meaning === 'link')
  return {
    source,
    unit: 'Line',
    tagSeparator,
    columns: () => columns,
    missing: hasLink
      ? undefined
      : { line: head.line, message: `There is no column link. Columns found: ${listed(head.cells)}` },
    rows: rowsOf(records, columns, valueOf),
  }
}

/** Splitting a file costs a hundredth of checking its rows, so a file that is too long is rejected first. */
function rejectTooMany(text: string): void {
  let records = 0
  for (const _ of recordsOf(text)) if (++records > MOST_ROWS + 1) throw tooMany()
}

/** Of two columns with the same meaning, the first counts for a known service; otherwise it is an error. */
function distinct(columns: readonly Column[], source: string, line: number): Column[] {
  const first = new Map<string, Column>()
  return columns.map((column) => {
    const { meaning } = column
    const other = meaning === undefined ? undefined : first.get(meaning)
    if (meaning === undefined || other === undefined) {
      if (meaning !== undefined) first.set(meaning, column)
      return column
    }
    if (source === 'waymark' || source === 'generic')
      throw new ImportFileFault(`Line ${line}: The columns ${other.name} and ${column.name} mean the same`)
    return { ...column, meaning: undefined }
  })
}

function* rowsOf(
  records: Iterator<CsvRecord>,
  columns: readonly Column[],
  valueOf: (meaning: Meaning, cell: string) => unknown,
): Generator<RawRow> {
  for (let next = records.next(); next.done !== true; next = records.next()) {
    const { cells, line } = next.value
    if (cells.every((cell) => cell === '')) continue
    const values: Record<string, unknown> = {}
    for (const [at, { meaning }] of columns.entries()) {
      const cell = unguarded(cells[at] ?? '')
      if (meaning !== undefined && cell !== '') values[meaning] = valueOf(meaning, cell)
    }
    const isLonger = cells.slice(columns.length).some((cell) => cell !== '')
    yield { line, values, ...(isLonger && { fault: 'This row has more cells than there are columns' }) }
  }
}

/** Rejects a table by its first row; the text is the beginning of the file. */
export function checkTable(start: string): void {
  try {
    checkFirstRow(start)
  } catch (error) {
    throw asFileFault(error)
  }
}

function* recordsOf(text: string): Generator<CsvRecord, undefined> {
  try {
    yield* readCsv(text)
  } catch (error) {
    throw asFileFault(error)
  }
}

const asFileFault = (error: unknown): unknown =>
  error instanceof CsvFault ? new ImportFileFault(`Line ${error.line}: ${error.message}`) : error
