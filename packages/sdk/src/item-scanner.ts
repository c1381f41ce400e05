import { csvStart } from '@waymark/contract/csv'
import { linkFileKind } from '@waymark/contract/link-file-kind'

/** Finds the boundaries between the links of a file, byte by byte. */
export interface ItemScanner {
  /** Number of items before the first link: the row of column names. */
  readonly headItems: number
  /** Bytes between two items that belong to neither. */
  readonly gapBytes: number
  /** What to append to a part if it is not the last one. */
  readonly closing: string
  /** The line, or the number of items, before the next byte. */
  readonly place: number
  /** Reads the next byte; returns whether an item ends before it. */
  isEnd(byte: number): boolean
}

const [TAB, LF, CR, QUOTE, COMMA, BACKSLASH] = [0x09, 0x0a, 0x0d, 0x22, 0x2c, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Undefined: the file is neither a table nor a list, so it cannot be divided. */
export function itemScannerFor(head: string): ItemScanner | undefined {
  const kind = linkFileKind(head)
  if (kind === 'json') return head.trimStart().startsWith('[') ? new ListScanner() : undefined
  return kind === 'table' ? new TableScanner(head) : undefined
}

/** The records of a CSV file: a line break inside quotes does not end one. */
class TableScanner implements ItemScanner {
  readonly headItems: number
  readonly gapBytes = 0
  readonly closing = ''
  place = 0
  readonly #separator: number
  #previous = 0
  #isQuoted = false
  #isCellStart = true
  /** Whether the previous byte closed a quote: another quote is then a doubled one, and the cell continues. */
  #isClosed = false

  constructor(head: string) {
    const { from, separator } = csvStart(head)
    // A byte order mark is one character; a line that declares the separator has more, and belongs to the head.
    this.headItems = from > 1 ? 2 : 1
    this.#separator = separator === '\t' ? TAB : separator.charCodeAt(0)
  }

  isEnd(byte: number): boolean {
    const isAfterBreak = this.#previous === LF || (this.#previous === CR && byte !== LF)
    this.#previous = byte
    if (isAfterBreak) this.place++
    const isEnd = isAfterBreak && !this.#isQuoted
    if (isEnd) this.#isCellStart = true
    const opens = !this.#isQuoted && byte === QUOTE && (this.#isCellStart || this.#isClosed)
    this.#isClosed = this.#isQuoted && byte === QUOTE
    this.#isQuoted = opens || (this.#isQuoted && byte !== QUOTE)
    this.#isCellStart = !this.#isQuoted && byte === this.#separator
    return isEnd
  }
}

/** The items of a JSON list. */
class ListScanner implements ItemScanner {
  readonly headItems = 1
  readonly gapBytes = 1
  readonly closing = ']'
  place = 0
  #depth = 0
  #isText = false
  #isEscaped = false
  #isBegun = false

  isEnd(byte: number): boolean {
    if (this.#isText) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === BACKSLASH) this.#isEscaped = true
      else if (byte === QUOTE) this.#isText = false
      return false
    }
    const isFirst = this.#depth === 1 && !this.#isBegun
    if (isFirst) this.#isBegun = true
    if (byte === QUOTE) this.#isText = true
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--
    const isBetween = this.#depth === 1 && byte === COMMA
    if (isBetween) this.place++
    return isFirst || isBetween
  }
}
