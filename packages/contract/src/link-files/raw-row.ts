import { MOST_COLUMNS } from '../csv/index.ts'
import type { Body } from '../schemas/index.ts'

/** The meaning of a value: the name of a field of a new link, or one of `importFacts`. */
export type Meaning = string

/** The caller's information about a file. */
export interface ReadingOptions {
  /** The service that wrote it. */
  readonly source?: string | null | undefined
  /** The meaning of columns whose names do not show it. */
  readonly columns?: Body<'importLinks'>['columns']
}

/** The format of our own files: the fields of a new link, and how exports name and write them. */
export interface OwnColumns {
  /** The fields that an import reads. */
  readonly names: readonly Meaning[]
  /** The field of a header; null: only exports have it; undefined: unknown. */
  readonly nameOfHeader: (header: string) => Meaning | null | undefined
  /** Parses a cell of such a field. */
  readonly readCell: (field: Meaning, cell: string) => unknown
}

/** A link as a file describes it, before any rule is applied. */
export interface RawRow {
  /** Its place: the line of a text file, or the number of an item in a list. */
  readonly line: number
  readonly values: Readonly<Record<Meaning, unknown>>
  /** An error of the whole row, such as more cells than columns. */
  readonly fault?: string
}

/** A column or field of a file, and its meaning; undefined: it is ignored. */
export interface Column {
  readonly name: string
  readonly meaning: Meaning | undefined
  /** Whether it is a column of our own exports that an import does not use. */
  readonly isExpected?: boolean
}

/** A parsed file. */
export interface RawFile {
  /** The service that wrote it, detected by its columns. */
  readonly source: string
  /** What a place in it is called. */
  readonly unit: 'Line' | 'Item'
  /** Splits a list of tags. */
  readonly tagSeparator: RegExp
  /** The columns known so far: a JSON file may have more in later items. */
  readonly columns: () => readonly Column[]
  /** The error if no column has the destination: nothing can be imported, but the columns can be shown. */
  readonly missing?: { readonly line: number; readonly message: string } | undefined
  readonly rows: Iterable<RawRow>
}

/** An error of the whole file, or of the caller's information about its columns, in one sentence. */
export class ImportFileFault extends Error {
  readonly field: 'file' | 'columns'

  constructor(message: string, field: ImportFileFault['field'] = 'file') {
    super(message)
    this.field = field
  }
}

/** The error for a row of a file that is not a table, but has more values than a table may have columns. */
export const tooWide = (place: string, values: string): ImportFileFault =>
  new ImportFileFault(`${place}: Must have at most ${MOST_COLUMNS} ${values}`)

/** Files with more rows must be split. */
export const MOST_ROWS = 500_000

export const tooMany = (): ImportFileFault => new ImportFileFault(`Must have at most ${MOST_ROWS} links`)

const SHOWN_CHARACTERS = 40

/** A name from the file for error texts. */
export const shortened = (name: string): string => {
  const plain = name.trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : plain
}

const SHOWN_NAMES = 20

/** Names from the file for a sentence. */
export const listed = (names: readonly string[]): string => {
  const shown = names.map(shortened).filter((name) => name !== '')
  const more = shown.length > SHOWN_NAMES ? ` and ${shown.length - SHOWN_NAMES} more` : ''
  return shown.slice(0, SHOWN_NAMES).join(', ') + more
}

/** A name without capitals, spaces and punctuation. */
export const squashed = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
