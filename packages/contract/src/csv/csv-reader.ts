/** A record, and the line of the file where it begins: quoted cells can contain line breaks. */
export interface CsvRecord {
  readonly line: number
  readonly cells: readonly string[]
}

/** A file that cannot be parsed, and the line. */
export class CsvFault extends Error {
  readonly line: number

  constructor(line: number, message: string) {
    super(message)
    this.name = 'CsvFault'
    this.line = line
  }
}

const BOM = '\ufeff'
const BREAK = /\r\n|\r|\n/g
const SEPARATORS = [',', ';', '\t'] as const
/** A first line that declares the separator: Excel reads it, and exports for Excel have it. */
const NAMED_SEPARATOR = /^"?sep=([,;\t|])"?(?:\r\n|\r|\n)/i

/** Further cells of a record are dropped: no table has this many, and a file of commas would take gigabytes. */
const MOST_CELLS = 1000
/** Far more than any value of a link. Unescaping the quotes of a cell of 32 MiB would take hundreds of megabytes. */
const MOST_QUOTED_CHARACTERS = 1 << 20
/** The part of the first line that is used to detect the separator. */
const HEAD_CHARACTERS = 65_536

/** The most frequent candidate in the first line outside of quotes; a comma if there is none. */
const separatorOf = (start: string): string => {
  const end = start.search(/[\r\n]/)
  const head = (end === -1 ? start : start.slice(0, end)).replaceAll(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => head.split(separator).length)
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
}

/** Where the records begin, and the separator, detected from the first line. */
export function csvStart(text: string): { readonly from: number; readonly separator: string } {
  const bom = text.startsWith(BOM) ? BOM.length : 0
  const start = text.slice(bom, bom + HEAD_CHARACTERS)
  const [first = '', separator = separatorOf(start)] = NAMED_SEPARATOR.exec(start) ?? []
  return { from: bom + first.length, separator }
}

/**
 * Parses a file as in RFC 4180, one record at a time, with the variations of spreadsheets: with or without a byte order mark,
 * any line end, commas, semicolons (Excel in much of Europe) or tabs. Empty lines are ignored.
 */
export function* readCsv(file: string): Generator<CsvRecord, void> {
  const { from, separator } = csvStart(file)
  const scanner = new Scanner(file, separator, from)
  while (!scanner.isDone) {
    const { line } = scanner
    const cells = scanner.record()
    if (cells.length > 1 || cells[0] !== '') yield { line, cells }
  }
}

/** Scans the text once; every step is a native search, so that long cells cost little. */
class Scanner {
  line = 1
  #at = 0
  readonly #text: string
  /** The end of an unquoted cell. */
  readonly #end: RegExp

  /** `from`: where the records begin. */
  constructor(text: string, separator: string, from: number) {
    this.#text = text
    this.#at = from
    // A line that declares the separator.
    if (from > BOM.length) this.line++
    this.#end = new RegExp(`[${separator}\\r\\n]`, 'g')
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length
  }

  record(): string[] {
    const cells: string[] = []
    for (;;) {
      const cell = this.#text[this.#at] === '"' ? this.#quoted() : this.#plain()
      if (cells.length < MOST_CELLS) cells.push(cell)
      const end = this.#text[this.#at++]
      if (end === undefined) return cells
      if (end !== '\r' && end !== '\n') continue
      if (end === '\r' && this.#text[this.#at] === '\n') this.#at++
      this.line++
      return cells
    }
  }

  #plain(): string {
    const start = this.#at
    this.#at = this.#cellEnd()
    return this.#text.slice(start, this.#at)
  }

  #quoted(): string {
    const opening = this.line
    const start = this.#at + 1
    do {
      const close = this.#text.indexOf('"', this.#at + 1)
      if (close === -1) throw new CsvFault(opening, 'A quote is opened and never closed')
      this.#at = close + 1
      // A doubled quote belongs to the cell.
    } while (this.#text[this.#at] === '"')
    const end = this.#at - 1
    if (end - start > MOST_QUOTED_CHARACTERS)
      throw new CsvFault(opening, 'A quoted cell must have at most 1,048,576 characters')
    const cell = this.#text.slice(start, end).replaceAll('""', '"')
    this.line += cell.match(BREAK)?.length ?? 0
    if (this.#cellEnd() !== this.#at)
      throw new CsvFault(this.line, 'A quote inside a quoted cell must be doubled')
    return cell
  }

  #cellEnd(): number {
    this.#end.lastIndex = this.#at
    return this.#end.exec(this.#text)?.index ?? this.#text.length
  }
}
