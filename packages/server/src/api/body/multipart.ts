import { createHash, type Hash } from 'node:crypto'
import { BodyError, type BodyLimits, ByteCollector, release } from './body-limits.ts'
import type { TempFile, TempFolder } from './temp-folder.ts'

export interface RawPart {
  name: string
  /** True size, even if less was stored. */
  size: number
  /** Undefined for a text part. */
  filename: string | undefined
  /** File parts: path of the first `limits.fileBytes` bytes; empty if there are none. */
  path: string
  /** Text parts: the first `limits.textBytes` bytes. */
  text: Buffer
  /** Text parts: not stored, because earlier parts have used up the memory limit. */
  dropped: boolean
}

interface OpenPart {
  part: RawPart
  rawName: Buffer
  hash: Hash
  text: ByteCollector
  file: TempFile | undefined
  /** Bytes stored, in memory or on disk. */
  kept: number
}

/** Hashes every part while it arrives, stores text in memory and files on disk, and computes the signed digest. */
export class MultipartIntake {
  readonly parts: RawPart[] = []
  readonly #parser: MultipartParser
  readonly #limits: BodyLimits
  readonly #folder: TempFolder
  readonly #digest = createHash('sha256')
  #textKept = 0
  #open: OpenPart | undefined

  constructor(boundary: string, limits: BodyLimits, folder: TempFolder) {
    this.#parser = new MultipartParser(boundary, limits.partHeaderBytes)
    this.#limits = limits
    this.#folder = folder
  }

  /** Wait for the returned promise, if any, before you push more: the disk is slower. */
  push(chunk: Buffer): Promise<void> | undefined {
    for (const event of this.#parser.push(chunk)) {
      if (event.type === 'part') this.#begin(event.header)
      else if (event.type === 'data') this.#take(event.bytes)
      else this.#end()
    }
    return this.#folder.pending()
  }

  /** The payload digest of a multipart body. */
  finish(): string {
    this.#parser.finish()
    return this.#digest.digest('hex')
  }

  #begin(header: PartHeader): void {
    if (this.parts.length === this.#limits.fields) {
      throw new BodyError('too_many_parts', `More than ${this.#limits.fields} parts`)
    }
    if (header.filename !== undefined && !this.#limits.files)
      throw new BodyError('unsupported_type', 'This request takes no files')
    const part: RawPart = {
      name: header.name,
      size: 0,
      filename: header.filename,
      path: '',
      text: Buffer.alloc(0),
      dropped: false,
    }
    this.parts.push(part)
    this.#open = {
      part,
      rawName: header.rawName,
      hash: createHash('sha256'),
      text: new ByteCollector(),
      file: undefined,
      kept: 0,
    }
  }

  #take(bytes: Buffer): void {
    const open = this.#open
    if (open === undefined) return
    open.hash.update(bytes)
    open.part.size += bytes.length
    if (open.part.filename === undefined) this.#keepText(open, bytes)
    else this.#keepFile(open, bytes)
  }

  #keepText(open: OpenPart, bytes: Buffer): void {
    const wanted = Math.min(bytes.length, this.#limits.textBytes - open.kept)
    if (this.#textKept + wanted > this.#limits.textTotalBytes) open.part.dropped = true
    if (wanted === 0 || open.part.dropped) return
    this.#folder.hold(wanted)
    open.text.push(bytes.subarray(0, wanted))
    open.kept += wanted
    this.#textKept += wanted
  }

  #keepFile(open: OpenPart, bytes: Buffer): void {
    const wanted = Math.min(bytes.length, this.#limits.fileBytes - open.kept)
    if (wanted === 0) return
    open.file ??= this.#folder.create()
    open.file.write(bytes.subarray(0, wanted))
    open.kept += wanted
  }

  #end(): void {
    const open = this.#open
    if (open === undefined) return
    open.part.text = open.text.bytes()
    open.file?.end()
    open.part.path = open.file?.path ?? ''
    this.#digest.update(open.rawName).update(`\n${open.hash.digest('hex')}\n`)
    this.#open = undefined
  }
}

type MultipartEvent = { type: 'part'; header: PartHeader } | { type: 'data'; bytes: Buffer } | { type: 'end' }

type State = 'preamble' | 'delimiter' | 'headers' | 'data' | 'done'

const CRLF = Buffer.from('\r\n')
const BLANK_LINE = Buffer.from('\r\n\r\n')
const LF = 0x0a
const CR = 0x0d
const DASH = 0x2d
const MAX_PADDING = 256
/** Smaller buffers share a block of memory, which must not be released. */
const POOLED_BYTES = 4096

/**
 * RFC 2046 multipart parser, fed chunk by chunk. It buffers at most one part's header block or one boundary. The bytes of an
 * event are valid until the next event is requested.
 * Our own, because the signature covers raw field names, which common parsers decode.
 *
 * A delimiter is CRLF + `--` + boundary. The line break at the end of a line stays in the buffer until it is known not to
 * begin a delimiter, because a part without bytes may share it, as the grammar allows.
 */
class MultipartParser {
  readonly #delimiter: Buffer
  readonly #maxHeaderBytes: number
  #state: State = 'preamble'
  // The first delimiter has no line before it, so start with a line break.
  #buffer: Buffer = CRLF
  /** Bytes at the start of the buffer that belong to the blank line before a part's content. */
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
      // Each event is consumed before the next one is read, so only the rest of the buffer is still needed.
      this.#buffer = Buffer.from(this.#buffer)
      if (length >= POOLED_BYTES) release(joined)
    }
  }

  /** Call at the end of the stream. */
  finish(): void {
    if (this.#state !== 'done')
      throw new BodyError('broken_multipart', 'The multipart body has no final boundary')
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
    if (length > this.#maxHeaderBytes)
      throw new BodyError('broken_multipart', 'The headers of a part are too long')
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

  /** Drops everything except a possible beginning of a delimiter. */
  #keepTail(): void {
    this.#buffer = this.#buffer.subarray(Math.max(0, this.#buffer.length - this.#delimiter.length + 1))
  }
}

function brokenDelimiter(): BodyError {
  return new BodyError('broken_multipart', 'A multipart boundary is followed by something else')
}

interface PartHeader {
  /** The bytes between the quotes, undecoded, as covered by the signature. */
  rawName: Buffer
  /** The name as text, with escapes decoded. */
  name: string
  /** Undefined for a text part. */
  filename: string | undefined
}

const IDENTITY_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

/** Parses a part's header block: lines separated by CRLF. */
function parsePartHeader(block: Buffer): PartHeader {
  // Latin-1 keeps one character per byte, so that the bytes of the name can be restored.
  const headers = headerLines(block.toString('latin1'))
  const encoding = headers.get('content-transfer-encoding')
  if (encoding !== undefined && !IDENTITY_ENCODINGS.has(encoding.toLowerCase())) {
    throw new BodyError(
      'broken_multipart',
      'A part has a content-transfer-encoding; send its bytes as they are',
    )
  }
  const disposition = parseHeaderValue(headers.get('content-disposition') ?? '')
  if (disposition?.value !== 'form-data') {
    throw new BodyError('broken_multipart', 'A part has no readable content-disposition')
  }
  const raw = parameter(disposition, 'name')
  if (raw === undefined || raw === null) throw new BodyError('broken_multipart', 'A part has no name')
  return { rawName: Buffer.from(raw, 'latin1'), name: decodeName(raw), filename: filenameOf(disposition) }
}

function headerLines(block: string): Map<string, string> {
  const headers = new Map<string, string>()
  // A line that begins with white space continues the previous one.
  for (const line of block.replaceAll(/\r\n(?=[ \t])/g, '').split('\r\n')) {
    const colon = line.indexOf(':')
    if (colon < 1 || /[\r\n\0]/.test(line))
      throw new BodyError('broken_multipart', 'A part has a broken header')
    const name = line.slice(0, colon).trim().toLowerCase()
    if (headers.has(name)) throw new BodyError('broken_multipart', 'A part has a header twice')
    headers.set(name, line.slice(colon + 1).trim())
  }
  return headers
}

/** In names, browsers encode only a quote and line breaks, as %22, %0D and %0A; curl writes `\"`. */
function decodeName(raw: string): string {
  const bytes = unescapeQuoted(raw).replaceAll(/%(22|0D|0A)/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

function filenameOf(disposition: Parameters<typeof parameter>[0]): string | undefined {
  const extended = parameter(disposition, 'filename*')
  const plain = parameter(disposition, 'filename')
  if (extended === null || plain === null)
    throw new BodyError('broken_multipart', 'A part has two file names')
  if (extended === undefined && plain === undefined) return undefined
  const name = (extended === undefined ? undefined : decodeExtended(extended)) ?? decodeName(plain ?? '')
  // Only the last segment, as old browsers send whole paths.
  return name.slice(Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\')) + 1).slice(0, 255)
}

/** RFC 8187: `UTF-8'en'%e2%82%ac.png`. */
function decodeExtended(raw: string): string | undefined {
  const match = /^utf-8'[^']*'(.*)$/is.exec(raw)
  if (match === null) return undefined
  try {
    return decodeURIComponent(match[1] ?? '')
  } catch {
    return undefined
  }
}

interface Parameter {
  /** Lower-cased. */
  name: string
  /** The text between quotes, if there are any, with escapes unchanged. */
  raw: string
}

interface HeaderValue {
  /** Lower-cased: `multipart/form-data`, `form-data`. */
  value: string
  parameters: Parameter[]
}

const SPACE = /[ \t]*/y
const TOKEN = /[^\s"(),/:;<=>?@[\\\]{}]+/y
// Clients use characters outside of the token set in unquoted values (boundaries with a slash, file names): accept
// everything that cannot be confused with the next parameter.
const BARE = /[^\s";]*/y

/** Parses `value; name=token; name="quoted \" string"`; undefined if the text has another form. */
export function parseHeaderValue(text: string): HeaderValue | undefined {
  const semicolon = text.indexOf(';')
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase()
  if (value === '') return undefined
  const parameters: Parameter[] = []
  let at = semicolon === -1 ? text.length : semicolon
  while (at < text.length) {
    if (text[at] !== ';') return undefined
    at = skip(SPACE, text, at + 1)
    if (at === text.length || text[at] === ';') continue
    const nameEnd = skip(TOKEN, text, at)
    const equals = skip(SPACE, text, nameEnd)
    if (nameEnd === at || text[equals] !== '=') return undefined
    const start = skip(SPACE, text, equals + 1)
    const quoted = text[start] === '"'
    const end = quoted ? closingQuote(text, start + 1) : skip(BARE, text, start)
    if (end === -1) return undefined
    parameters.push({
      name: text.slice(at, nameEnd).toLowerCase(),
      raw: text.slice(quoted ? start + 1 : start, end),
    })
    at = skip(SPACE, text, quoted ? end + 1 : end)
  }
  return { value, parameters }
}

/** The parameter of that name; `undefined` without one, `null` if it is given twice and so is ambiguous. */
export function parameter(header: HeaderValue, name: string): string | undefined | null {
  const found = header.parameters.filter((parameter) => parameter.name === name)
  return found.length > 1 ? null : found[0]?.raw
}

/** Removes the backslash of an escaped quote or backslash; other backslashes stay (Windows paths). */
export function unescapeQuoted(raw: string): string {
  return raw.replaceAll(/\\(["\\])/g, '$1')
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at++
  }
  return -1
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
