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

/** Far more than a table of links has. A file of commas would otherwise be read to its end. */
export const MOST_COLUMNS = 200
/** Far more than any value of a link. Unescaping the quotes of a cell of 32 MiB would take hundreds of megabytes. */
const MOST_QUOTED_CHARACTERS = 1 << 20
/** The longest first row. The separator is detected in it. */
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
  const scanner = new Scanner(file)
  for (scanner.skipBreaks(); !scanner.isDone; scanner.skipBreaks()) {
    const { line } = scanner
    const cells = scanner.record()
    if (cells.length > 1 || cells[0] !== '') yield { line, cells }
  }
}

/** Throws if the first row has too many columns or characters. The text is the beginning of a file, and can end anywhere. */
export function checkFirstRow(start: string): void {
  const scanner = new Scanner(start)
  scanner.skipBreaks()
  try {
    scanner.record()
  } catch (error) {
    if (!scanner.isDone) throw error
  }
}

const [CR, LF] = [0x0d, 0x0a]

/** Scans the text once. */
class Scanner {
  line = 1
  #at: number
  #isFirstRow = true
  /** Where the present row must have ended, including a line break. */
  #limit = 0
  readonly #text: string
  readonly #separator: number

  constructor(text: string) {
    const { from, separator } = csvStart(text)
    this.#text = text
    this.#at = from
    this.#separator = separator.charCodeAt(0)
    // A line that declares the separator.
    if (from > BOM.length) this.line++
  }

  get isDone(): boolean {
    return this.#at >= this.#text.length
  }

  /** Skips line breaks: an empty line is not a record. */
  skipBreaks(): void {
    while (this.#skipBreak());
  }

  record(): string[] {
    const { line } = this
    const { length } = this.#text
    this.#limit = this.#isFirstRow ? Math.min(length, this.#at + HEAD_CHARACTERS + 1) : length
    const cells: string[] = []
    do {
      if (cells.length === MOST_COLUMNS) throw new CsvFault(line, `Must have at most ${MOST_COLUMNS} columns`)
      cells.push(this.#text[this.#at] === '"' ? this.#quoted() : this.#plain())
    } while (this.#skipSeparator())
    this.#skipBreak()
    this.#isFirstRow = false
    return cells
  }

  #skipSeparator(): boolean {
    if (this.#text.charCodeAt(this.#at) !== this.#separator) return false
    this.#at++
    return true
  }

  #skipBreak(): boolean {
    const code = this.#text.charCodeAt(this.#at)
    if (code !== CR && code !== LF) return false
    this.#at += code === CR && this.#text.charCodeAt(this.#at + 1) === LF ? 2 : 1
    this.line++
    return true
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
      if (close === -1 || close >= this.#limit) throw this.#unended('A quote is opened and never closed')
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

  /** Where an unquoted cell ends. */
  #cellEnd(): number {
    for (let at = this.#at; at < this.#limit; at++) {
      const code = this.#text.charCodeAt(at)
      if (code === this.#separator || code === LF || code === CR) return at
    }
    if (this.#limit < this.#text.length) throw this.#unended()
    return this.#limit
  }

  /** The error for a cell that has no end before the limit of its row. */
  #unended(atEnd = ''): CsvFault {
    if (this.#limit < this.#text.length)
      return new CsvFault(this.line, `The first row must have at most ${HEAD_CHARACTERS} characters`)
    this.#at = this.#limit
    return new CsvFault(this.line, atEnd)
  }
}
