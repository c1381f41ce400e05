import { BodyError } from './body-error.ts'
import { parameter, parseHeaderValue, unescapeQuoted } from './header-value.ts'

export interface PartHeader {
  /** The bytes between the quotes, undecoded: what the signature covers. */
  rawName: Buffer
  /** The same name as text, its escapes undone. */
  name: string
  /** Undefined for a text part. */
  filename: string | undefined
}

const IDENTITY_ENCODINGS = new Set(['7bit', '8bit', 'binary'])

/** Reads a part's header block, CRLF between its lines and none at its ends. */
export function parsePartHeader(block: Buffer): PartHeader {
  // Latin-1 keeps one character per byte, so that the name's own bytes can be had back.
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
  // A line that begins with white space goes on with the one before it.
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

/** Browsers write a quote and line breaks in a name as %22, %0D and %0A, and no other character; curl writes `\"`. */
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
