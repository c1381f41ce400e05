import { UploadedFile } from '@waymark/contract'
import { BodyError } from './body-error.ts'
import { BODY_LIMITS } from './body-limits.ts'
import { FormFields } from './form-fields.ts'
import { parseJsonBody } from './json-body.ts'
import type { RawPart } from './multipart-intake.ts'
import type { RawBody } from './read-body.ts'

/** Breaks the rule of every string, so that the schema rejects the field by its own name. */
const UNREADABLE = '\ud800'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** One object from a body of any kind. To be called once the signature holds, never before. */
export function parseBody(raw: RawBody): Record<string, unknown> {
  if (raw.kind === 'json') return parseJsonBody(raw.bytes)
  if (raw.kind === 'urlencoded') return parseUrlencoded(raw.bytes)
  return parseMultipart(raw.kind === 'multipart' ? raw.parts : [])
}

function parseMultipart(parts: readonly RawPart[]): Record<string, unknown> {
  const fields = new FormFields()
  for (const part of parts) {
    if (part.filename === undefined) fields.add(part.name, textOf(part))
    else if (part.filename !== '' || part.size > 0)
      fields.add(part.name, new UploadedFile({ ...part, filename: part.filename }))
    // A browser sends an empty file for a chooser left alone: no item for a list, nothing for a single field.
    else if (!part.name.endsWith('[]')) fields.add(part.name, null)
  }
  return fields.toObject()
}

function textOf(part: RawPart): string | null {
  if (part.dropped) return UNREADABLE
  return decode(part.text, part.size > part.text.length)
}

function parseUrlencoded(bytes: Buffer): Record<string, unknown> {
  const fields = new FormFields()
  let pairs = 0
  for (let start = 0; start < bytes.length;) {
    const ampersand = bytes.indexOf('&', start)
    const end = ampersand === -1 ? bytes.length : ampersand
    if (end > start) {
      if (++pairs > BODY_LIMITS.fields) {
        throw new BodyError('too_many_parts', `More than ${BODY_LIMITS.fields} fields`)
      }
      const pair = bytes.subarray(start, end)
      const equals = pair.indexOf('=')
      const name = unescapeForm(equals === -1 ? pair : pair.subarray(0, equals))
      const value = equals === -1 ? Buffer.alloc(0) : unescapeForm(pair.subarray(equals + 1))
      fields.add(name.toString('utf8'), decode(value, false))
    }
    start = end + 1
  }
  return fields.toObject()
}

/** `+` is a space, `%41` a byte, and a percent sign without two digits stands for itself. */
function unescapeForm(text: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    let byte = text[at] ?? 0
    if (byte === 0x2b) byte = 0x20
    else if (byte === 0x25) {
      const value = hexDigit(text[at + 1]) * 16 + hexDigit(text[at + 2])
      if (!Number.isNaN(value)) {
        byte = value
        at += 2
      }
    }
    bytes[length++] = byte
  }
  return bytes.subarray(0, length)
}

function hexDigit(byte: number | undefined): number {
  if (byte === undefined) return Number.NaN
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : Number.NaN
}

/** Text of a form: empty is null. When it was cut, the character at the cut may be incomplete. */
function decode(bytes: Buffer, cut: boolean): string | null {
  if (bytes.length === 0) return null
  try {
    return cut
      ? new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: true })
      : utf8.decode(bytes)
  } catch {
    return UNREADABLE
  }
}
