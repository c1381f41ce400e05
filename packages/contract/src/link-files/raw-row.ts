import type { Body } from '../schemas/index.ts'

/** What a value of a file means: the name of a field of a new link, or one of `importFacts`. */
export type Meaning = string

/** What the caller says about a file. */
export interface ReadingOptions {
  /** The service that wrote it. */
  readonly source?: string | null | undefined
  /** What columns mean, where their names do not say it. */
  readonly columns?: Body<'importLinks'>['columns']
}

/** What the caller's own files are made of: the fields of a new link and how exports name and write them. */
export interface OwnColumns {
  /** The fields that an import reads. */
  readonly names: readonly Meaning[]
  /** The field that a header stands for; null: only exports have it; undefined: it is unknown. */
  readonly nameOfHeader: (header: string) => Meaning | null | undefined
  /** What a cell of such a field holds. */
  readonly readCell: (field: Meaning, cell: string) => unknown
}

/** A link as a file describes it, before any rule is applied. */
export interface RawRow {
  /** Where it stands: the line of a text file, the number of an item in a list. */
  readonly line: number
  readonly values: Readonly<Record<Meaning, unknown>>
  /** What is wrong with the row as a whole, such as more cells than columns. */
  readonly fault?: string
}

/** A column or a field of a file, and what it means; undefined: it is ignored. */
export interface Column {
  readonly name: string
  readonly meaning: Meaning | undefined
  /** Whether it is a column of our own export that an import has no use for. */
  readonly isExpected?: boolean
}

/** A file taken apart. */
export interface RawFile {
  /** The service that wrote it, as far as its columns show. */
  readonly source: string
  /** How a place in it is called. */
  readonly unit: 'Line' | 'Item'
  /** Splits a list of tags. */
  readonly tagSeparator: RegExp
  /** Columns as known so far: a JSON file may have more in later items. */
  readonly columns: () => readonly Column[]
  /** What is said where no column holds the destination: nothing can be imported, but the columns can be shown. */
  readonly missing?: { readonly line: number; readonly message: string } | undefined
  readonly rows: Iterable<RawRow>
}

/** What is wrong with a whole file, or with what the caller says about its columns, in one sentence. */
export class ImportFileFault extends Error {
  readonly field: 'file' | 'columns'

  constructor(message: string, field: ImportFileFault['field'] = 'file') {
    super(message)
    this.field = field
  }
}

/** More rows than this are several imports. */
export const MOST_ROWS = 500_000

export const tooMany = (): ImportFileFault => new ImportFileFault(`Must have at most ${MOST_ROWS} links`)

const SHOWN_CHARACTERS = 40

/** A name of the file as error texts show it. */
export const shortened = (name: string): string => {
  const plain = name.trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : plain
}

const SHOWN_NAMES = 20

/** The names of a file in a sentence. */
export const listed = (names: readonly string[]): string => {
  const shown = names.map(shortened).filter((name) => name !== '')
  const more = shown.length > SHOWN_NAMES ? ` and ${shown.length - SHOWN_NAMES} more` : ''
  return shown.slice(0, SHOWN_NAMES).join(', ') + more
}

/** A name without capitals, spaces and punctuation. */
export const squashed = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
