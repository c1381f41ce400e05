/** What a value of a file means: the name of a field of a new link, or one of `SIDE_MEANINGS`. */
export type Meaning = string

/** What files say about a link besides the fields of a new one. */
export const SIDE_MEANINGS = [
  'code',
  'short_url',
  'created_at',
  'clicks',
  'imported_clicks',
  'has_password',
  'banned',
  'earlier_codes',
] as const

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
  readonly rows: Iterable<RawRow>
}

/** What is wrong with a whole file, in one sentence. */
export class ImportFileFault extends Error {}

/** More rows than this are several imports. */
export const MOST_ROWS = 500_000

export const tooMany = (): ImportFileFault => new ImportFileFault(`Must have at most ${MOST_ROWS} links`)

const SHOWN_CHARACTERS = 40

/** A name of the file as error texts show it. */
export const shortened = (name: string): string => {
  const plain = name.trim()
  return plain.length > SHOWN_CHARACTERS ? `${plain.slice(0, SHOWN_CHARACTERS).toWellFormed()}…` : plain
}

/** A name without capitals, spaces and punctuation. */
export const squashed = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
