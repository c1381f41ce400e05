import {
  type Column,
  ImportFileFault,
  MOST_ROWS,
  type OwnColumns,
  type RawFile,
  type ReadingOptions,
  readLinkFile,
  tooMany,
} from '@waymark/contract/link-files'
import { linkFields } from '../links/link-fields.ts'
import { type ImportedLink, linkOf, type RowProblem } from './import-rules.ts'
import { nextTurn } from '../../work/turns.ts'

/** Options for reading a file. */
export interface ReadOptions extends ReadingOptions {
  /** Show the columns of a file that has no destinations, instead of rejecting it. */
  readonly isPreview?: boolean
}

/** The contents of a file, without a comparison with the database. */
export interface ImportSummary {
  readonly source: string
  readonly unit: RawFile['unit']
  readonly columns: readonly Column[]
  /** Rows in the file. */
  readonly total: number
  /** Rows that can be imported. */
  readonly importable: number
  /** The first problems; `problemCount` counts all of them. */
  readonly problems: readonly RowProblem[]
  readonly problemCount: number
  /** The first links, without passwords. */
  readonly first: readonly ImportedLink[]
}

/** Number of problems that are kept; the rest is only counted. */
export const MOST_PROBLEMS = 1_000
/** Number of links that a preview shows. */
const FIRST = 10

const ownColumns: OwnColumns = {
  names: linkFields.importedNames,
  nameOfHeader: (header) => linkFields.nameOfHeader(header),
  readCell: (field, cell) => linkFields.readCell(field as (typeof linkFields.importedNames)[number], cell),
}

/** Rows between two pauses. */
const ROWS_AT_ONCE = 50

/** Reads a whole file synchronously, in a thread; `take` receives every valid link, in order. */
export function readImport(
  bytes: Uint8Array,
  options: ReadOptions,
  take: (link: ImportedLink) => void,
): ImportSummary {
  const reading = readInSteps(bytes, options, take)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

/** Reads a small file in steps, so that other requests are served meanwhile. */
export async function readSmallImport(
  bytes: Uint8Array,
  options: ReadOptions,
  take: (link: ImportedLink) => void,
): Promise<ImportSummary> {
  const reading = readInSteps(bytes, options, take)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
    await nextTurn()
  }
}

function* readInSteps(
  bytes: Uint8Array,
  options: ReadOptions,
  take: (link: ImportedLink) => void,
): Generator<undefined, ImportSummary> {
  const file = readLinkFile(bytes, ownColumns, options)
  const { missing, unit } = file
  if (missing !== undefined && options.isPreview !== true)
    throw new ImportFileFault(unit === 'Line' ? `Line ${missing.line}: ${missing.message}` : missing.message)
  const problems: RowProblem[] = []
  const first: ImportedLink[] = []
  let [total, importable, problemCount] = [0, 0, 0]
  const report = (problem: RowProblem): void => {
    problemCount++
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  if (missing !== undefined) report({ ...missing, column: null, skipped: true })
  for (const row of file.rows) {
    if (++total > MOST_ROWS) throw tooMany()
    if (total % ROWS_AT_ONCE === 0) yield
    const link = missing === undefined ? linkOf(row, file, report) : undefined
    if (link === undefined) continue
    importable++
    if (first.length < FIRST) first.push({ ...link, input: { ...link.input, password: null } })
    take(link)
  }
  if (total === 0) throw new ImportFileFault('Must contain at least one link')
  return {
    source: file.source,
    unit,
    columns: file.columns(),
    total,
    importable,
    problems,
    problemCount,
    first,
  }
}

/** The place of a problem, in terms that can be found in the file. */
export const placeOf = (unit: RawFile['unit'], { line, column, message }: RowProblem): string =>
  `${unit} ${line}${column === null ? '' : `, ${column}`}: ${message}`
