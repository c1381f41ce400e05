import { MOST_LINKS_AT_ONCE } from '@waymark/contract/schemas'
import { LinkLines, linksFrom } from './link-lines.ts'
import {
  type Column,
  ImportFileFault,
  MOST_ROWS,
  type OwnColumns,
  type RawFile,
  readLinkFile,
  tooMany,
} from '@waymark/contract/link-files'
import { linkFields } from '../links/link-fields.ts'
import { type ImportedLink, linkOf, type RowProblem } from './import-rules.ts'
import { nextTurn } from '../../runtime/turns.ts'

/** What a file holds, found out without looking into the database. */
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
}

/** As many as people read. The rest is counted. */
export const MOST_PROBLEMS = 1_000

const ownColumns: OwnColumns = {
  names: linkFields.importedNames,
  nameOfHeader: (header) => linkFields.nameOfHeader(header),
  readCell: (field, cell) => linkFields.readCell(field as (typeof linkFields.importedNames)[number], cell),
}

const BOM = '\ufeff'
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Rows between two pauses. */
const ROWS_AT_ONCE = 50

/** Reads a whole file; `take` receives every link that can be imported, in order. */
export function readImport(
  bytes: Uint8Array,
  named: string | undefined,
  take: (link: ImportedLink) => void,
): ImportSummary {
  const reading = readInSteps(bytes, named, take)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return step.value
  }
}

/** The same with pauses, in which a caller can let other work go on. */
export function* readInSteps(
  bytes: Uint8Array,
  named: string | undefined,
  take: (link: ImportedLink) => void,
): Generator<undefined, ImportSummary> {
  const file = readLinkFile(textOf(bytes), ownColumns, named)
  const problems: RowProblem[] = []
  let [total, importable, problemCount] = [0, 0, 0]
  const tell = (problem: RowProblem): void => {
    problemCount++
    if (problems.length < MOST_PROBLEMS) problems.push(problem)
  }
  for (const row of file.rows) {
    if (++total > MOST_ROWS) throw tooMany()
    if (total % ROWS_AT_ONCE === 0) yield
    const link = linkOf(row, file, tell)
    if (link === undefined) continue
    importable++
    take(link)
  }
  if (total === 0) throw new ImportFileFault('Must have a line for at least one link')
  const { source, unit } = file
  return { source, unit, columns: file.columns(), total, importable, problems, problemCount }
}

/** Names the place of a problem as someone who looks into the file finds it. */
export const placeOf = (unit: RawFile['unit'], { line, column, message }: RowProblem): string =>
  `${unit} ${line}${column === null ? '' : `, ${column}`}: ${message}`

function textOf(bytes: Uint8Array): string {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw new ImportFileFault('Must be a CSV file in UTF-8')
  }
  if (text.includes('\0')) throw new ImportFileFault('Must be a CSV file: this one holds NUL bytes')
  return text.startsWith(BOM) ? text.slice(1) : text
}

/** A file that was read. */
export interface ReadFile {
  readonly summary: ImportSummary
  /** The links that can be imported, as `LinkLines` writes them. */
  readonly lines: Uint8Array<ArrayBuffer>
  /** The first of them. */
  readonly first: readonly ImportedLink[]
}

const FIRST = 10

/** Reads a whole file, at once; in a thread of its own. */
export function readLinks(bytes: Uint8Array, source: string | undefined, key: string): ReadFile {
  const { take, finish } = gathering(key)
  return finish(readImport(bytes, source, take))
}

/** Reads a small file while the process goes on serving others. */
export async function readSmallFile(
  bytes: Uint8Array,
  source: string | undefined,
  key: string,
): Promise<ReadFile> {
  const { take, finish } = gathering(key)
  const reading = readInSteps(bytes, source, take)
  for (;;) {
    const step = reading.next()
    if (step.done === true) return finish(step.value)
    await nextTurn()
  }
}

function gathering(key: string) {
  const lines = new LinkLines(key)
  const first: ImportedLink[] = []
  return {
    take: (link: ImportedLink): void => {
      if (first.length < FIRST) first.push({ ...link, input: { ...link.input, password: null } })
      lines.push(link)
    },
    finish: (summary: ImportSummary): ReadFile => ({ summary, lines: lines.bytes(), first }),
  }
}

/** The links of a small file; undefined: there are too many to create them at once. */
export function linksForNow({ summary, lines }: ReadFile, key: string): readonly ImportedLink[] | undefined {
  if (summary.total > MOST_LINKS_AT_ONCE) return undefined
  // As many earlier short codes as links: more of them would keep others waiting.
  const { links, end } = linksFrom(lines, 0, 2 * MOST_LINKS_AT_ONCE, key)
  return end < lines.length ? undefined : links
}
