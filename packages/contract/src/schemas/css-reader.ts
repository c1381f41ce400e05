/** One token of a CSS value. `open` is a function's name with its parenthesis, such as `rgb(`. */
type Token =
  | { readonly kind: 'space' | 'comma' | 'slash' | 'close' | 'invalid' }
  | { readonly kind: 'open' | 'word' | 'hash'; readonly text: string }
  | { readonly kind: 'number'; readonly text: string; readonly value: number; readonly unit: string }

// Every alternative begins with different characters, so no position of the value is read twice.
const TOKEN =
  /(?<space>[\t\n\f\r ]+)|(?<comma>,)|(?<slash>\/)|(?<close>\))|#(?<hash>[0-9a-f]{3,8})|(?<number>[+-]?(?:\d{1,5}(?:\.\d{1,4})?|\.\d{1,4}))(?<unit>%|[a-z]{1,4})?|(?<word>[a-z][a-z-]{0,20})(?<open>\()?/iy

const tokenOf = (groups: Record<string, string | undefined>): Token => {
  const { space, comma, slash, hash, number, unit = '', word, open } = groups
  if (space !== undefined) return { kind: 'space' }
  if (comma !== undefined) return { kind: 'comma' }
  if (slash !== undefined) return { kind: 'slash' }
  if (hash !== undefined) return { kind: 'hash', text: hash }
  if (number !== undefined)
    return { kind: 'number', text: number, value: Number(number), unit: unit.toLowerCase() }
  if (word !== undefined) return { kind: open === undefined ? 'word' : 'open', text: word.toLowerCase() }
  return { kind: 'close' }
}

/**
 * Reads a CSS value from left to right without backtracking, in linear time. Every method reads what its name says and returns
 * whether it was there. After `false` the value is invalid and reading ends, unless a method states that it leaves the
 * position unchanged. Tokens are created as they are read, so nothing
 * after the first error costs time.
 */
export class CssReader {
  readonly #value: string
  readonly #tokens: Token[] = []
  /** Position of the next token. */
  #end = 0
  #at = 0

  private constructor(value: string) {
    this.#value = value
  }

  /** Whether a grammar matches the whole value. */
  static matches(value: string, grammar: (reader: CssReader) => boolean): boolean {
    const reader = new CssReader(value)
    return grammar(reader) && reader.atEnd
  }

  get atEnd(): boolean {
    return this.#peek(this.#at) === undefined
  }

  /** Skips white space; false, with the position unchanged, if there is none. */
  space(): boolean {
    return this.#accept('space')
  }

  /** A comma with optional white space around it; without one only the white space is read. */
  comma(): boolean {
    return this.#separator('comma')
  }

  /** Like `comma`, with a slash. */
  slash(): boolean {
    return this.#separator('slash')
  }

  /** Whether white space and then something other than a separator or a closing parenthesis follows; reads the space. */
  another(): boolean {
    const kind = this.#peek(this.#at + 1)?.kind
    const follows = kind !== undefined && kind !== 'comma' && kind !== 'slash' && kind !== 'close'
    return follows && this.space()
  }

  /** One of these words, or undefined with the position unchanged. */
  word(words: ReadonlySet<string>): string | undefined {
    return this.#text('word', words)
  }

  /** The opening of one of these functions and the following white space; undefined leaves the position unchanged. */
  open(names: ReadonlySet<string>): string | undefined {
    const name = this.#text('open', names)
    if (name !== undefined) this.space()
    return name
  }

  /** A closing parenthesis, with optional white space before it. */
  close(): boolean {
    this.space()
    return this.#accept('close')
  }

  /**
   * A number, not below the minimum, with one of these units; only a plain `0` needs none. Undefined leaves the position
   * unchanged.
   */
  quantity(units: ReadonlySet<string>, least = -Infinity): number | undefined {
    const token = this.#peek(this.#at)
    if (token?.kind !== 'number' || token.value < least) return undefined
    if (!units.has(token.unit) && !(token.text === '0' && token.unit === '')) return undefined
    this.#at++
    return token.value
  }

  /** `#` with one of these numbers of hexadecimal digits; false leaves the position unchanged. */
  hash(lengths: readonly number[]): boolean {
    const token = this.#peek(this.#at)
    if (token?.kind !== 'hash' || !lengths.includes(token.text.length)) return false
    this.#at++
    return true
  }

  #peek(at: number): Token | undefined {
    while (this.#tokens.length <= at && this.#end < this.#value.length) this.#tokens.push(this.#nextToken())
    return this.#tokens[at]
  }

  /** A character that no theme needs is a token that nothing accepts. */
  #nextToken(): Token {
    TOKEN.lastIndex = this.#end
    const groups = TOKEN.exec(this.#value)?.groups
    this.#end = groups === undefined ? this.#value.length : TOKEN.lastIndex
    return groups === undefined ? { kind: 'invalid' } : tokenOf(groups)
  }

  #accept(kind: Token['kind']): boolean {
    if (this.#peek(this.#at)?.kind !== kind) return false
    this.#at++
    return true
  }

  #separator(kind: 'comma' | 'slash'): boolean {
    this.space()
    if (!this.#accept(kind)) return false
    this.space()
    return true
  }

  #text(kind: 'word' | 'open', allowed: ReadonlySet<string>): string | undefined {
    const token = this.#peek(this.#at)
    if (token?.kind !== kind || !allowed.has(token.text)) return undefined
    this.#at++
    return token.text
  }
}
