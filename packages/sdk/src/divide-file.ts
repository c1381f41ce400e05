import { IMPORT_FILE_BYTES } from '@waymark/contract'
import { type ItemScanner, itemScannerFor } from './item-scanner.ts'

/** A part of a file that can be imported separately. */
export interface FilePart {
  readonly blob: Blob
  /** Add this to a line of the part to get the line in the file. */
  readonly linesBefore: number
}

/** The size of parts. Smaller than the server's limit, so that a failed part is quickly repeated. */
export interface PartSize {
  readonly bytes: number
  readonly links: number
}

const PART_SIZE: PartSize = { bytes: IMPORT_FILE_BYTES / 2, links: 100_000 }
const HEAD_BYTES = 65_536
const READ_BYTES = 1 << 20
const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
const SPACE = 0x20

/**
 * Divides a file that is too large for one import between two links: a CSV file, whose column names are repeated in every
 * part, or a JSON list. Undefined for other files. The parts refer to the file and are not copied.
 */
export async function divideFile(file: Blob, size = PART_SIZE): Promise<FilePart[] | undefined> {
  const scanner = itemScannerFor(await file.slice(0, HEAD_BYTES).text())
  if (scanner === undefined) return undefined
  const cutter = new Cutter(file, scanner, size)
  for (let from = await markBytes(file); from < file.size; from += READ_BYTES) {
    const bytes = new Uint8Array(await file.slice(from, from + READ_BYTES).arrayBuffer())
    cutter.read(bytes, from)
  }
  return cutter.end()
}

async function markBytes(file: Blob): Promise<number> {
  const start = new Uint8Array(await file.slice(0, BYTE_ORDER_MARK.length).arrayBuffer())
  return BYTE_ORDER_MARK.every((byte, at) => start[at] === byte) ? BYTE_ORDER_MARK.length : 0
}

/** A position between two links, and the line there. */
interface Cut {
  readonly at: number
  readonly place: number
}

class Cutter {
  readonly #file: Blob
  readonly #scanner: ItemScanner
  readonly #size: PartSize
  readonly #parts: FilePart[] = []
  /** Where the first link begins: everything before is repeated in every part. */
  #head: Cut | undefined
  #ends = 0
  #start: Cut = { at: 0, place: 0 }
  /** The last position where the part can end, and its number of links. */
  #last: Cut = { at: 0, place: 0 }
  #links = 0
  /** Position of the last byte that is not a space or line break. */
  #lastText = 0

  constructor(file: Blob, scanner: ItemScanner, size: PartSize) {
    this.#file = file
    this.#scanner = scanner
    this.#size = size
  }

  read(bytes: Uint8Array, from: number): void {
    for (let n = 0; n < bytes.length; n++) {
      const byte = bytes[n] as number
      if (this.#scanner.isEnd(byte)) this.#canEnd(from + n)
      if (byte > SPACE) this.#lastText = from + n
    }
  }

  end(): FilePart[] {
    this.#canEnd(this.#file.size)
    if (this.#lastText >= this.#start.at || this.#parts.length === 0) this.#push(this.#file.size, '')
    return this.#parts
  }

  #canEnd(at: number): void {
    const cut = { at, place: this.#scanner.place }
    if (this.#head === undefined) {
      if (++this.#ends < this.#scanner.headItems) return
      this.#head = cut
    } else if (++this.#links > this.#size.links || this.#bytesTo(at) > this.#size.bytes) this.#cut()
    this.#last = cut
  }

  #bytesTo(at: number): number {
    const repeated = this.#start.at === 0 ? 0 : (this.#head?.at ?? 0)
    return at - this.#start.at + repeated
  }

  /** Ends the part before the link that does not fit; a link that is too large becomes a part of its own. */
  #cut(): void {
    const { at, place } = this.#last
    if (at <= Math.max(this.#start.at, this.#head?.at ?? 0)) return
    this.#push(at, this.#scanner.closing)
    this.#start = { at: at + this.#scanner.gapBytes, place }
    this.#links = 1
  }

  #push(end: number, closing: string): void {
    const { at, place } = this.#start
    const isFirst = at === 0
    const head = isFirst ? [] : [this.#file.slice(0, this.#head?.at ?? 0)]
    this.#parts.push({
      blob: new Blob([...head, this.#file.slice(at, end), closing]),
      linesBefore: isFirst ? 0 : place - (this.#head?.place ?? 0),
    })
  }
}
