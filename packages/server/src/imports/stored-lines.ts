import type { ByteRange } from '../storage/blobs/blobs.ts'
import type { ImportedLink } from './import-rules.ts'
import { linksFrom } from './link-lines.ts'

/** Reads a part of the stored file; undefined: it is gone. */
type ReadRange = (range: ByteRange) => Promise<Uint8Array | undefined>

/** Some thousand links; one with a thousand earlier short codes takes about a tenth of it. */
const PIECE_BYTES = 1 << 20
const NEWLINE = 0x0a

/**
 * The lines of an import that is running, read from its file piece by piece. A file of 100,000 lines has some 25 MB; an
 * import has a turn every few seconds, for some thousand of them.
 */
export class StoredLines {
  readonly #read: ReadRange
  readonly #key: string
  readonly #pieceBytes: number
  /** Whole lines, and where in the file they begin. */
  #piece: Uint8Array = new Uint8Array()
  #from = 0
  #isLast = false

  constructor(read: ReadRange, key: string, pieceBytes = PIECE_BYTES) {
    this.#read = read
    this.#key = key
    this.#pieceBytes = pieceBytes
  }

  /** Some links from a position on, and where the next one begins; none at the end. Undefined: the file is gone. */
  async linksFrom(
    position: number,
    most: number,
  ): Promise<{ readonly links: ImportedLink[]; readonly end: number } | undefined> {
    if (!this.#hasMany(position) && !(await this.#load(position))) return undefined
    const { links, end } = linksFrom(this.#piece, position - this.#from, most, this.#key)
    return { links, end: this.#from + end }
  }

  /** Whether the piece goes on far enough for a batch. */
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
      // A line that is longer than a piece is read again with more of the file.
      if (whole.length === 0 && !isLast) continue
      this.#piece = whole
      this.#from = from
      this.#isLast = isLast
      return true
    }
  }
}
