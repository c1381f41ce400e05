import { LineCounter } from './line-counter.ts'
import { ImportFileFault, type OwnColumns, type RawFile, type RawRow } from './raw-row.ts'
import { type Reading, readingOf } from './source-presets.ts'

/** A statement that inserts rows, as dumps write it: the table and its columns. */
const inserts = (): RegExp => /INSERT\sINTO\s[`"]?(\w+)[`"]?\s?(?:\(([^()]+)\)\s?)?VALUES/gi
/** The table of links, whatever prefix the installation gave it. */
const isLinkTable = (table: string): boolean => table.toLowerCase().endsWith('url')
const TABLE_COLUMNS = ['keyword', 'url', 'title', 'timestamp', 'ip', 'clicks']

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', Z: '\x1a' }

/** Whether a file is a dump of the database of YOURLS. */
export const isYourlsDump = (text: string): boolean =>
  [...text.matchAll(inserts())].some(([, table = '']) => isLinkTable(table))

/** The rows of the table of links in a dump that mysqldump or phpMyAdmin wrote. */
export function readYourlsDump(text: string, own: OwnColumns): RawFile {
  const { source, tagSeparator, columnOf } = readingOf(TABLE_COLUMNS, own, 'yourls')
  const columns = TABLE_COLUMNS.map(columnOf)
  return { source, unit: 'Line', tagSeparator, columns: () => columns, rows: rowsOf(text, columnOf) }
}

function* rowsOf(text: string, columnOf: Reading['columnOf']): Generator<RawRow> {
  const insert = inserts()
  const lines = new LineCounter(text)
  for (let match = insert.exec(text); match !== null; match = insert.exec(text)) {
    if (!isLinkTable(match[1] ?? '')) continue
    const names = match[2]?.split(',').map((name) => name.replaceAll(/[`"\s]/g, '')) ?? TABLE_COLUMNS
    const meanings = names.map((name) => columnOf(name).meaning)
    const scanner = new TupleScanner(text, insert.lastIndex)
    for (let tuple = scanner.next(); tuple !== undefined; tuple = scanner.next()) {
      const values: Record<string, string> = {}
      for (const [at, cell] of tuple.entries()) {
        const meaning = meanings[at]
        if (meaning !== undefined && cell !== '') values[meaning] = cell
      }
      yield { line: lines.at(scanner.at), values }
    }
    insert.lastIndex = scanner.at
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
      if (end === ')') return cells
      if (end !== ',') throw new ImportFileFault('This SQL dump is cut off')
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
      if (found === null) throw new ImportFileFault('This SQL dump is cut off')
      cell += this.#text.slice(from, found.index)
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
