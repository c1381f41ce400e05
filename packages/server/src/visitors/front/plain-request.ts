import { shortCodeEnd } from '../links/target-path.ts'

/** The headers that a redirect depends on. All others are only checked for their form. */
export type PlainHeaders = {
  host: string | undefined
  'user-agent': string | undefined
  referer: string | undefined
  accept: string | undefined
  'accept-language': string | undefined
  'x-forwarded-for': string | undefined
  'sec-purpose': string | undefined
  purpose: string | undefined
  'x-purpose': string | undefined
  'x-moz': string | undefined
  connection: string | undefined
}

/** A complete `GET /{shortCode}` or `GET /{shortCode}/{rest}` that every HTTP parser reads alike. */
export interface PlainRequest {
  readonly shortCode: string
  readonly rest: string
  /** The part after the question mark. */
  readonly query: string
  readonly headers: PlainHeaders
  /** The client requests that the connection is closed after the response. */
  readonly closes: boolean
  /** Position in the text where the request ends. */
  readonly end: number
}

const MAX_REQUEST_BYTES = 8 * 1024
const MAX_HEADERS = 64

const START = 'GET /'
const VERSION = ' HTTP/1.1\r\n'
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const HASH = 0x23
const SLASH = 0x2f
const COLON = 0x3a
const QUESTION = 0x3f
const TILDE = 0x7e

const READ: readonly (keyof PlainHeaders)[] = [
  'host',
  'user-agent',
  'referer',
  'accept',
  'accept-language',
  'x-forwarded-for',
  'sec-purpose',
  'purpose',
  'x-purpose',
  'x-moz',
  'connection',
]
/** Headers that change how the connection or the rest of the request is read: node:http handles these. */
const HANDED_OVER = ['content-length', 'transfer-encoding', 'expect', 'upgrade', 'proxy-connection']

interface KnownName {
  /** In lower case. */
  readonly name: Uint8Array
  /** The header to read; undefined for a header that only node:http handles. */
  readonly read: keyof PlainHeaders | undefined
}

const knownByLength: KnownName[][] = []
for (const name of READ) (knownByLength[name.length] ??= []).push({ name: Buffer.from(name), read: name })
for (const name of HANDED_OVER)
  (knownByLength[name.length] ??= []).push({ name: Buffer.from(name), read: undefined })

const isNameByte = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-'))
  isNameByte[byte] = 1

/**
 * Reads one request that starts at `from`, or returns null for anything incomplete, unusual, or that two parsers could read
 * differently. It never rejects a request; node:http reads what this function does not.
 *
 * `text` has the same bytes as Latin-1, for the parts that are used. Comparisons use the bytes: `charCodeAt` takes three
 * times as long, and five times more as soon as any code of the process has a class that extends String (ADR 30).
 */
export function readPlainRequest(bytes: Uint8Array, text: string, from: number): PlainRequest | null {
  if (!text.startsWith(START, from)) return null
  const codeStart = from + START.length
  const codeEnd = shortCodeEnd(bytes, codeStart)
  const pathEnd = bytes[codeEnd] === SLASH ? restEnd(bytes, codeEnd, from) : codeEnd
  const targetEnd = bytes[pathEnd] === QUESTION ? queryEnd(bytes, pathEnd, from) : pathEnd
  if (codeEnd === codeStart || !text.startsWith(VERSION, targetEnd)) return null
  const headers = noHeaders()
  const end = readHeaders(bytes, text, targetEnd + VERSION.length, from + MAX_REQUEST_BYTES, headers)
  if (end === -1 || headers.host === undefined) return null
  const closes = closesConnection(headers.connection)
  if (closes === undefined) return null
  const shortCode = text.slice(codeStart, codeEnd)
  const rest = pathEnd === codeEnd ? '' : text.slice(codeEnd + 1, pathEnd)
  const query = targetEnd === pathEnd ? '' : text.slice(pathEnd + 1, targetEnd)
  return { shortCode, rest, query, headers, closes, end }
}

/** Has every field from the start, so that all requests have one hidden class. */
function noHeaders(): PlainHeaders {
  return {
    host: undefined,
    'user-agent': undefined,
    referer: undefined,
    accept: undefined,
    'accept-language': undefined,
    'x-forwarded-for': undefined,
    'sec-purpose': undefined,
    purpose: undefined,
    'x-purpose': undefined,
    'x-moz': undefined,
    connection: undefined,
  }
}

/** The end of a path of visible ASCII without `#`. */
function restEnd(bytes: Uint8Array, slash: number, from: number): number {
  const last = Math.min(bytes.length, from + MAX_REQUEST_BYTES)
  let at = slash
  while (at < last) {
    const byte = bytes[at]!
    if (byte <= SPACE || byte > TILDE || byte === HASH || byte === QUESTION) break
    at++
  }
  return at
}

/** The end of a query of visible ASCII without `#`. */
function queryEnd(bytes: Uint8Array, question: number, from: number): number {
  const last = Math.min(bytes.length, from + MAX_REQUEST_BYTES)
  let at = question
  while (at < last) {
    const byte = bytes[at]!
    if (byte <= SPACE || byte > TILDE || byte === HASH) break
    at++
  }
  return at
}

/** Reads header lines including the empty line, and returns where it ends; -1 for anything unusual. */
function readHeaders(
  bytes: Uint8Array,
  text: string,
  from: number,
  limit: number,
  headers: PlainHeaders,
): number {
  let start = from
  for (let count = 0; count <= MAX_HEADERS; count++) {
    if (bytes[start] === CARRIAGE_RETURN)
      return bytes[start + 1] === LINE_FEED && start + 2 <= limit ? start + 2 : -1
    const colon = nameEnd(bytes, start)
    if (colon === start || bytes[colon] !== COLON) return -1
    const valueStart = bytes[colon + 1] === SPACE ? colon + 2 : colon + 1
    const end = valueEnd(bytes, valueStart)
    if (end === -1 || end > limit) return -1
    const known = knownByLength[colon - start]
    if (known !== undefined && !note(headers, known, bytes, start, text, valueStart, end)) return -1
    start = end + 2
  }
  return -1
}

function nameEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && isNameByte[bytes[at]!] === 1) at++
  return at
}

/** The end of a value of printable ASCII that is not empty and has no space at either end; -1 otherwise. */
function valueEnd(bytes: Uint8Array, from: number): number {
  // The last byte cannot belong to a value: a line ends with CRLF.
  const last = bytes.length - 1
  let at = from
  while (at < last && bytes[at]! >= SPACE && bytes[at]! <= TILDE) at++
  if (at === from || bytes[from] === SPACE || bytes[at - 1] === SPACE) return -1
  return bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED ? at : -1
}

/** Stores the value of a header. False for a repeated header and for one that node:http handles. */
function note(
  headers: PlainHeaders,
  known: readonly KnownName[],
  bytes: Uint8Array,
  start: number,
  text: string,
  valueStart: number,
  end: number,
): boolean {
  for (const { name, read } of known) {
    if (!isNamed(bytes, start, name)) continue
    if (read === undefined || headers[read] !== undefined) return false
    headers[read] = text.slice(valueStart, end)
    return true
  }
  return true
}

/** Whether the header name at `from` is this one, ignoring case. */
function isNamed(bytes: Uint8Array, from: number, name: Uint8Array): boolean {
  for (let i = 0; i < name.length; i++) if ((bytes[from + i]! | 0x20) !== name[i]) return false
  return true
}

/** Whether `connection` closes; undefined for a value that only node:http handles. */
function closesConnection(value: string | undefined): boolean | undefined {
  if (value === undefined) return false
  if (value === 'keep-alive' || value === 'Keep-Alive') return false
  return value === 'close' ? true : undefined
}
