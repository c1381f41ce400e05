import { BodyError } from './body-error.ts'
import { release } from './byte-collector.ts'
import { parsePartHeader, type PartHeader } from './part-header.ts'

export type MultipartEvent =
  | { type: 'part'; header: PartHeader }
  | { type: 'data'; bytes: Buffer }
  | { type: 'end' }

type State = 'preamble' | 'delimiter' | 'headers' | 'data' | 'done'

const CRLF = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const MAX_PADDING = 256
/** Below this, buffers share a block of memory, which is not ours to give back. */
const POOLED_BYTES = 4096

/**
 * RFC 2046 multipart, fed chunk by chunk; holds no more than one part's header block or one boundary's length. The
 * bytes of an event are gone when the next event is asked for.
 * Written here because the signature covers field names as they were sent, which the known parsers decode.
 *
 * Throughout, a delimiter is CRLF + `--` + boundary. The line break that ends a line stays in the buffer until it
 * is known not to begin a delimiter, so that a part without any bytes may share it, as the grammar allows.
 */
export class MultipartParser {
  readonly #delimiter: Buffer
  readonly #maxHeaderBytes: number
  #state: State = 'preamble'
  // The first delimiter has no line before it, so one is lent.
  #buffer: Buffer = CRLF
  /** Bytes at the start of the buffer that belong to the blank line above a part's bytes. */
  #notData = 0

  constructor(boundary: string, maxHeaderBytes: number) {
    this.#delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1')
    this.#maxHeaderBytes = maxHeaderBytes
  }

  *push(chunk: Buffer): Generator<MultipartEvent> {
    if (this.#state === 'done') return
    const length = this.#buffer.length + chunk.length
    const joined = length < POOLED_BYTES ? Buffer.allocUnsafe(length) : Buffer.allocUnsafeSlow(length)
    this.#buffer.copy(joined)
    chunk.copy(joined, this.#buffer.length)
    this.#buffer = joined
    try {
      for (let before: State | undefined; before !== this.#state;) {
        before = this.#state
        if (before === 'preamble') this.#preamble()
        else if (before === 'delimiter') this.#afterDelimiter()
        else if (before === 'headers') yield* this.#headers()
        else if (before === 'data') yield* this.#data()
      }
    } finally {
      // Each event is used before the next one is read, so only the rest of the buffer is still needed.
      this.#buffer = Buffer.from(this.#buffer)
      if (length >= POOLED_BYTES) release(joined)
    }
  }

  /** To be called at the end of the stream. */
  finish(): void {
    if (this.#state !== 'done') throw new BodyError('broken_multipart', 'The multipart body has no end')
  }

  #preamble(): void {
    const at = this.#buffer.indexOf(this.#delimiter)
    if (at === -1) this.#keepTail()
    else this.#enterDelimiter(at)
  }

  *#data(): Generator<MultipartEvent> {
    const at = this.#buffer.indexOf(this.#delimiter)
    const end = at === -1 ? this.#buffer.length - this.#delimiter.length + 1 : at
    if (end > this.#notData) {
      yield { type: 'data', bytes: this.#buffer.subarray(this.#notData, end) }
      this.#notData = 0
      if (at === -1) this.#keepTail()
    }
    if (at === -1) return
    this.#enterDelimiter(at)
    yield { type: 'end' }
  }

  #afterDelimiter(): void {
    if (this.#buffer.length < 2) return
    if (this.#buffer[0] === DASH && this.#buffer[1] === DASH) {
      this.#state = 'done'
      this.#buffer = Buffer.alloc(0)
      return
    }
    const lf = this.#buffer.indexOf(LF)
    if (lf === -1 ? this.#buffer.length > MAX_PADDING : lf > MAX_PADDING) throw brokenDelimiter()
    if (lf === -1) return
    const ending = lf > 0 && this.#buffer[lf - 1] === CR ? lf - 1 : lf
    if (!/^[ \t]*$/.test(this.#buffer.toString('latin1', 0, ending))) throw brokenDelimiter()
    this.#buffer =
      ending === lf ? Buffer.concat([CRLF, this.#buffer.subarray(lf + 1)]) : this.#buffer.subarray(ending)
    this.#state = 'headers'
  }

  *#headers(): Generator<MultipartEvent> {
    const end = this.#buffer.indexOf(BLANK_LINE)
    const length = end === -1 ? this.#buffer.length : end
    if (length > this.#maxHeaderBytes) throw new BodyError('broken_multipart', 'A part has too long a header')
    if (end === -1) return
    const header = parsePartHeader(this.#buffer.subarray(CRLF.length, Math.max(end, CRLF.length)))
    this.#buffer = this.#buffer.subarray(end + CRLF.length)
    this.#notData = CRLF.length
    this.#state = 'data'
    yield { type: 'part', header }
  }

  #enterDelimiter(at: number): void {
    this.#buffer = this.#buffer.subarray(at + this.#delimiter.length)
    this.#notData = 0
    this.#state = 'delimiter'
  }

  /** Drops all but what may be the beginning of a delimiter. */
  #keepTail(): void {
    this.#buffer = this.#buffer.subarray(Math.max(0, this.#buffer.length - this.#delimiter.length + 1))
  }
}

function brokenDelimiter(): BodyError {
  return new BodyError('broken_multipart', 'A multipart boundary is followed by something else')
}
