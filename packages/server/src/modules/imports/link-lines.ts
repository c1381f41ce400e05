import { createSecrets } from '../../storage/secrets.ts'
import type { ImportedLink } from './import-rules.ts'
import { bufferOf } from '../../work/threads.ts'
import type { ByteRange } from '../../storage/blobs/blobs.ts'

/*
 * The links of a file that waits to be imported: one JSON object per line, so that an import can continue at a position in
 * bytes. Passwords in it are encrypted with a key of that import.
 */

const NEWLINE = 0x0a
const CONTEXT = 'import'

/** Values that most links have are left out. */
const DEFAULTS = {
  shortCode: null,
  isCustom: false,
  host: null,
  isForeign: false,
  createdAtMs: null,
  clicks: 0,
  isProtected: false,
  earlierCodes: null,
} as const

/** Writes links as lines. */
export class LinkLines {
  readonly #seal: (password: string) => string
  #text = ''

  constructor(key: string) {
    const secrets = createSecrets(key)
    this.#seal = (password) => secrets.seal(password, CONTEXT)
  }

  /** Number of characters not taken yet. */
  get length(): number {
    return this.#text.length
  }

  push({ line, input, ...rest }: ImportedLink): void {
    const { password } = input
    const sealed = password ? { ...input, password: this.#seal(password) } : input
    const more = Object.entries(rest).filter(
      ([name, value]) => value !== DEFAULTS[name as keyof typeof DEFAULTS],
    )
    this.#text += `${JSON.stringify({ line, input: sealed, ...Object.fromEntries(more) })}\n`
  }

  /** The lines since the last call. */
  take(): Buffer {
    const bytes = Buffer.from(this.#text)
    this.#text = ''
    return bytes
  }
}

/**
 * Some links from a position on, and where the next one begins: as many as have up to this many short codes together,
 * including earlier ones; at least one.
 */
function linksFrom(
  bytes: Uint8Array,
  from: number,
  most: number,
  key: string,
): { readonly links: ImportedLink[]; readonly end: number } {
  const secrets = createSecrets(key)
  const file = bufferOf(bytes)
  const links: ImportedLink[] = []
  let at = from
  let shortCodes = 0
  while (shortCodes < most && at < file.length) {
    const end = file.indexOf(NEWLINE, at)
    if (end === -1) throw new Error('The lines of an import are cut off')
    const link = { ...DEFAULTS, ...(JSON.parse(file.toString('utf8', at, end)) as ImportedLink) }
    const { password } = link.input
    links.push(
      password ? { ...link, input: { ...link.input, password: secrets.open(password, CONTEXT) } } : link,
    )
    at = end + 1
    shortCodes += 1 + (link.earlierCodes?.length ?? 0)
  }
  return { links, end: at }
}

/** Reads a part of the stored file; undefined: it no longer exists. */
type ReadRange = (range: ByteRange) => Promise<Uint8Array | undefined>

/** Some thousand links; one with a thousand earlier short codes takes about a tenth of it. */
const PIECE_BYTES = 1 << 20

/**
 * The lines of a running import, read from its file in pieces. A file of 100,000 lines has some 25 MB; an import has a turn
 * every few seconds, for some thousand of them.
 */
export class StoredLines {
  readonly #read: ReadRange
  readonly #key: string
  readonly #pieceBytes: number
  /** Whole lines, and their position in the file. */
  #piece: Uint8Array = new Uint8Array()
  #from = 0
  #isLast = false

  constructor(read: ReadRange, key: string, pieceBytes = PIECE_BYTES) {
    this.#read = read
    this.#key = key
    this.#pieceBytes = pieceBytes
  }

  /** Some links from a position on, and where the next one begins; none at the end. Undefined: the file no longer exists. */
  async linksFrom(
    position: number,
    most: number,
  ): Promise<{ readonly links: ImportedLink[]; readonly end: number } | undefined> {
    if (!this.#hasMany(position) && !(await this.#load(position))) return undefined
    const { links, end } = linksFrom(this.#piece, position - this.#from, most, this.#key)
    return { links, end: this.#from + end }
  }

  /** Whether the piece has enough lines for a batch. */
  #hasMany(position: number): boolean {
    const at = position - this.#from
    return at >= 0 && at <= this.#piece.length * (this.#isLast ? 1 : 0.75) && this.#piece.length > 0
  }

  async #load(from: number): Promise<boolean> {
    for (let length = this.#pieceBytes; ; length *= 2) {
      const bytes = await this.#read({ from, length })
      if (bytes === undefined) return false
      const whole = bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1)
      const isLast = bytes.length < length
      if (isLast && whole.length < bytes.length) throw new Error('The lines of an import are cut off')
      // A line longer than a piece is read again with more of the file.
      if (whole.length === 0 && !isLast) continue
      this.#piece = whole
      this.#from = from
      this.#isLast = isLast
      return true
    }
  }
}
