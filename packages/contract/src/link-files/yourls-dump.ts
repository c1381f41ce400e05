import { LineCounter } from './line-counter.ts'
import { MOST_COLUMNS } from '../csv/index.ts'
import { ImportFileFault, type OwnColumns, type RawFile, type RawRow, tooWide } from './raw-row.ts'
import { type Reading, readingOf } from './source-presets.ts'

/** The table of links, with any prefix of the installation. */
const isLinkTable = (table: string): boolean => table.toLowerCase().endsWith('url')
const TABLE_COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks']

/** Far more than any value of a link. */
const MOST_CHARACTERS = 1 << 20

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', Z: '\x1a' }

/** A statement that inserts or replaces rows. */
interface Insert {
  readonly table: string
  /** The names of its columns, if the statement has them. */
  readonly columns: string | undefined
  /** Where its rows begin. */
  readonly end: number
}

/** Finds the next such statement. In two steps, which a test can prove linear in seconds. */
function nextInsert(text: string, from: number): Insert | undefined {
  const into = /\bINTO\s[`"]?(\w+)/gi
  into.lastIndex = from
  for (let match = into.exec(text); match !== null; match = into.exec(text)) {
    const values = /[`"]?\s?(?:\(([^()]+)\)\s?)?VALUES/iy
    values.lastIndex = into.lastIndex
    const found = values.exec(text)
    if (found !== null) return { table: match[1] ?? '', columns: found[1], end: values.lastIndex }
  }
  return undefined
}

/** Whether a file is a database dump of YOURLS. */
export function isYourlsDump(text: string): boolean {
  let insert = nextInsert(text, 0)
  while (insert !== undefined && !isLinkTable(insert.table)) insert = nextInsert(text, insert.end)
  return insert !== undefined
}

/** The rows of the table of links in a dump by mysqldump or phpMyAdmin. */
export function readYourlsDump(text: string, own: OwnColumns): RawFile {
  const { source, tagSeparator, columnOf } = readingOf(TABLE_COLUMNS, own, { source: 'yourls' })
  const columns = TABLE_COLUMNS.map(columnOf)
  return { source, unit: 'Line', tagSeparator, columns: () => columns, rows: rowsOf(text, columnOf) }
}

function* rowsOf(text: string, columnOf: Reading['columnOf']): Generator<RawRow> {
  const lines = new LineCounter(text)
  let from = 0
  for (let insert = nextInsert(text, from); insert !== undefined; insert = nextInsert(text, from)) {
    from = insert.end
    if (!isLinkTable(insert.table)) continue
    const names =
      insert.columns?.split(',', MOST_COLUMNS + 1).map((name) => name.replaceAll(/[`"\s]/g, '')) ??
      TABLE_COLUMNS
    if (names.length > MOST_COLUMNS) throw tooWide(`Line ${lines.at(insert.end)}`, 'columns')
    const meanings = names.map((name) => columnOf(name).meaning)
    const scanner = new TupleScanner(text, insert.end)
    for (let tuple = scanner.next(); tuple !== undefined; tuple = scanner.next()) {
      if (tuple.length > MOST_COLUMNS) throw tooWide(`Line ${lines.at(scanner.at)}`, 'columns')
      const values: Record<string, string> = {}
      for (const [at, cell] of tuple.entries()) {
        const meaning = meanings[at]
        if (meaning !== undefined && cell !== '') values[meaning] = cell
      }
      yield { line: lines.at(scanner.at), values }
    }
    from = scanner.at
  }
}

/** Reads `(…),(…);` one tuple at a time. */
class TupleScanner {
  readonly #text: string
  at: number

  constructor(text: string, at: number) {
    this.#text = text
    this.at = at
  }

  next(): string[] | undefined {
    const opening = /[\s,]*\(/y
    opening.lastIndex = this.at
    if (!opening.test(this.#text)) return undefined
    this.at = opening.lastIndex
    const cells: string[] = []
    for (;;) {
      cells.push(this.#text[this.#skipSpace()] === "'" ? this.#quoted() : this.#plain())
      const end = this.#text[this.#skipSpace()]
      this.at++
      // A row with too many cells is not read to its end.
      if (end === ')' || cells.length > MOST_COLUMNS) return cells
      if (end !== ',') throw new ImportFileFault('This SQL dump is truncated')
    }
  }

  #skipSpace(): number {
    while (/\s/.test(this.#text[this.at] ?? '')) this.at++
    return this.at
  }

  #plain(): string {
    const word = /[^,)\s]*/y
    word.lastIndex = this.at
    const found = word.exec(this.#text)?.[0] ?? ''
    this.at += found.length
    return found.toUpperCase() === 'NULL' ? '' : found
  }

  #quoted(): string {
    const special = /['\\]/g
    let cell = ''
    let from = this.at + 1
    for (;;) {
      special.lastIndex = from
      const found = special.exec(this.#text)
      if (found === null) throw new ImportFileFault('This SQL dump is truncated')
      cell += this.#text.slice(from, found.index)
      if (cell.length > MOST_CHARACTERS)
        throw new ImportFileFault('A text must have at most 1,048,576 characters')
      const next = this.#text[found.index + 1] ?? ''
      from = found.index + 2
      if (found[0] === '\\') cell += ESCAPES[next] ?? next
      else if (next === "'") cell += "'"
      else {
        this.at = found.index + 1
        return cell
      }
    }
  }
}
