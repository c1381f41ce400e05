import { ImportFileFault, MOST_ROWS, tooMany } from './raw-row.ts'

/*
 * Finds the list of links and its items in a JSON text, byte by byte, without parsing the whole: `JSON.parse` of 32 MiB takes
 * a gigabyte if the text is all brackets. Each item is small enough to be parsed alone. In UTF-8 and Windows-1252 these bytes
 * occur only as structure.
 */

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d]
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** Maximum depth, as in JSON bodies. */
const MOST_LEVELS = 32
/** Maximum depth of the list in the response of an API, such as `shortUrls.data` of Shlink. */
const LIST_LEVELS = 3

/** The start and end of an item. */
export interface ItemPlace {
  readonly from: number
  readonly to: number
}

/** A list of objects, or an object of objects, which YOURLS returns instead of a list. */
interface ItemList {
  /** After its opening bracket. */
  readonly from: number
  readonly hasNames: boolean
  readonly count: number
}

/** The result of scanning a value. */
interface Found {
  readonly list?: ItemList | undefined
  readonly isObject: boolean
  /** Whether it is an object with a field `url`. */
  readonly hasUrl: boolean
}

const SCALAR: Found = { isObject: false, hasUrl: false }

/** The items of the first list of objects near the top of the text; undefined if there is none. */
export function jsonItems(bytes: Uint8Array): Iterable<ItemPlace> | undefined {
  const start = BYTE_ORDER_MARK.every((byte, at) => bytes[at] === byte) ? BYTE_ORDER_MARK.length : 0
  const scanner = new JsonScanner(bytes, start)
  const { list } = scanner.find(LIST_LEVELS)
  scanner.end()
  return list === undefined ? undefined : { [Symbol.iterator]: () => itemsOf(bytes, list) }
}

function* itemsOf(bytes: Uint8Array, { from, hasNames, count }: ItemList): Generator<ItemPlace> {
  const scanner = new JsonScanner(bytes, from)
  for (let left = count; left > 0; left--) {
    if (hasNames) scanner.name()
    yield scanner.item()
    if (left > 1) scanner.expect(COMMA)
  }
}

/** Scans a text once. The content of items is left to `JSON.parse`. */
class JsonScanner {
  readonly #bytes: Uint8Array
  #at: number
  #level = 0

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.#at = at
  }

  /** Skips a value, and finds the list of links in it. */
  find(levels: number): Found {
    const opening = this.#peek()
    if (opening === OPEN_LIST) return this.#findInList()
    if (opening === OPEN_OBJECT && levels > 0) return this.#findInObject(levels)
    return this.#skip()
  }

  item(): ItemPlace {
    this.#peek()
    const from = this.#at
    this.#skip()
    return { from, to: this.#at }
  }

  /** Skips the name of a field and its colon; returns whether it is `url`. */
  name(): boolean {
    if (this.#peek() !== QUOTE) throw notJson()
    const from = this.#at
    this.#skipText()
    const isUrl =
      this.#at - from === 5 && [0x75, 0x72, 0x6c].every((byte, n) => this.#bytes[from + 1 + n] === byte)
    this.expect(COLON)
    return isUrl
  }

  expect(byte: number): void {
    if (this.#peek() !== byte) throw notJson()
    this.#at++
  }

  end(): void {
    if (this.#peek() !== undefined) throw notJson()
  }

  #findInList(): Found {
    const from = this.#at + 1
    let areObjects = true
    const count = this.#each(CLOSE_LIST, (before) => {
      areObjects = this.#skip().isObject && areObjects
      if (areObjects && before >= MOST_ROWS) throw tooMany()
    })
    const list = areObjects && count > 0 ? { from, hasNames: false, count } : undefined
    return { ...SCALAR, list }
  }

  #findInObject(levels: number): Found {
    const from = this.#at + 1
    let list: ItemList | undefined
    let haveUrls = true
    let hasUrl = false
    const count = this.#each(CLOSE_OBJECT, () => {
      const isUrl = this.name()
      hasUrl ||= isUrl
      const child = list === undefined ? this.find(levels - 1) : this.#skip()
      list ??= child.list
      haveUrls &&= child.hasUrl
    })
    if (list === undefined && haveUrls && count > MOST_ROWS) throw tooMany()
    if (haveUrls && count > 0) list ??= { from, hasNames: true, count }
    return { list, isObject: true, hasUrl }
  }

  /** Skips a value of any kind. */
  #skip(): Found {
    const opening = this.#peek()
    if (opening === OPEN_OBJECT) {
      let hasUrl = false
      this.#each(CLOSE_OBJECT, () => {
        hasUrl = this.name() || hasUrl
        this.#skip()
      })
      return { isObject: true, hasUrl }
    }
    if (opening === OPEN_LIST) this.#each(CLOSE_LIST, () => this.#skip())
    else if (opening === QUOTE) this.#skipText()
    else this.#skipWord()
    return SCALAR
  }

  /** Skips a list or an object; returns its number of children. */
  #each(close: number, child: (before: number) => void): number {
    if (++this.#level > MOST_LEVELS)
      throw new ImportFileFault(`Must be nested at most ${MOST_LEVELS} levels deep`)
    this.#at++
    let count = 0
    if (this.#peek() !== close) {
      do {
        if (count > 0) this.#at++
        child(count++)
      } while (this.#peek() === COMMA)
      if (this.#peek() !== close) throw notJson()
    }
    this.#at++
    this.#level--
    return count
  }

  #skipText(): void {
    for (let end = this.#bytes.indexOf(QUOTE, this.#at + 1); end !== -1;) {
      let escapes = end
      while (this.#bytes[escapes - 1] === BACKSLASH) escapes--
      if ((end - escapes) % 2 === 0) {
        this.#at = end + 1
        return
      }
      end = this.#bytes.indexOf(QUOTE, end + 1)
    }
    throw notJson()
  }

  /** A number, `true`, `false` or `null`. */
  #skipWord(): void {
    const from = this.#at
    while (isOfWord(this.#bytes[this.#at])) this.#at++
    if (this.#at === from) throw notJson()
  }

  /** The next byte that is not a space or a line break. */
  #peek(): number | undefined {
    for (;;) {
      const byte = this.#bytes[this.#at]
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return byte
      this.#at++
    }
  }
}

/** Letters, digits, `+`, `-` and `.`. */
const isOfWord = (byte: number | undefined): boolean =>
  byte !== undefined &&
  ((byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2b ||
    byte === 0x2d ||
    byte === 0x2e ||
    byte === 0x45)

const notJson = (): ImportFileFault => new ImportFileFault('Must be valid JSON')
