import { CsvFault, readCsv } from '@waymark/contract/csv'
import type { Input } from '@waymark/sdk'
import { orNull } from '../../forms/or-null.ts'
import { withScheme } from '../../ui/addresses.ts'

/** Number of links that one paste can create. */
export const MOST_ROWS = 200

const columns = ['url', 'source', 'medium', 'campaign', 'content', 'term'] as const
type Column = (typeof columns)[number]

const names: ReadonlyMap<string, Column> = new Map<string, Column>([
  ...columns.map((column) => [column, column] as const),
  ...columns.map((column) => [`utm_${column}`, column] as const),
  ['link', 'url'],
  ['destination', 'url'],
  ['website', 'url'],
  ['website url', 'url'],
  ['landing page', 'url'],
])

export interface PastedRow {
  readonly line: number
  readonly tags: Readonly<Record<Column, string>>
  /** The missing field; null for a complete row. */
  readonly problem: string | null
}

const columnOf = (cell: string): Column | undefined => names.get(cell.trim().toLowerCase())

/** Columns by name if the first row has names, otherwise in the order of the form. */
const orderOf = (first: readonly string[]): { order: readonly (Column | undefined)[]; isHeader: boolean } => {
  const named = first.map(columnOf)
  return named.includes('url') ? { order: named, isHeader: true } : { order: columns, isHeader: false }
}

const problemOf = (tags: Record<Column, string>): string | null => {
  const missing = columns.filter((column) => column !== 'term' && tags[column] === '')
  return missing.length === 0 ? null : `Missing: ${missing.join(', ')}`
}

/** The rows of a spreadsheet, pasted with tabs, commas or semicolons. */
export const pastedRows = (text: string): readonly PastedRow[] => {
  try {
    const records = [...readCsv(text)]
    const { order, isHeader } = orderOf(records[0]?.cells ?? [])
    return records.slice(isHeader ? 1 : 0).map(({ line, cells }) => {
      const tags = { url: '', source: '', medium: '', campaign: '', content: '', term: '' }
      for (const [at, column] of order.entries())
        if (column !== undefined) tags[column] = cells[at]?.trim() ?? ''
      return { line, tags, problem: problemOf(tags) }
    })
  } catch (error) {
    if (!(error instanceof CsvFault)) throw error
    const tags = { url: '', source: '', medium: '', campaign: '', content: '', term: '' }
    return [{ line: error.line, tags, problem: error.message }]
  }
}

/** The body that creates the link of a row. */
export const bodyOfRow = ({ tags }: PastedRow, shorten: boolean): Input<'generateUtm'> => ({
  ...tags,
  url: withScheme(tags.url),
  term: orNull(tags.term),
  shorten,
})
