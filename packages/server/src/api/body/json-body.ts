import { BodyError } from './body-error.ts'
import { MAX_LEVELS, MAX_VALUES } from './body-limits.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const OPEN_BRACE = 0x7b
const CLOSE_BRACKET = 0x5d
const CLOSE_BRACE = 0x7d
const COMMA = 0x2c

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function parseJsonBody(bytes: Buffer): Record<string, unknown> {
  rejectExcess(bytes)
  let value: unknown
  try {
    value = JSON.parse(utf8.decode(bytes))
  } catch (error) {
    throw new BodyError('malformed', 'The body is not JSON', { cause: error })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BodyError('not_an_object', 'The body is not a JSON object')
  }
  // A field called `__proto__` is an own property here and unknown to every schema: the validation names it and leaves
  // it out. Until then fields are copied by spreading or into objects without a prototype, never assigned to `{}`.
  return value as Record<string, unknown>
}

/** Before JSON.parse: deep nesting attacks its recursion, and a million objects of two bytes keep the thread busy. */
function rejectExcess(bytes: Buffer): void {
  let depth = 0
  let values = 0
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) at = endOfString(bytes, at + 1)
    else if (byte === COMMA) values++
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      values++
      if (++depth > MAX_LEVELS) throw new BodyError('too_deep', `More than ${MAX_LEVELS} levels of nesting`)
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth--
    if (values > MAX_VALUES) throw new BodyError('too_many_values', `More than ${MAX_VALUES} values`)
  }
}

function endOfString(bytes: Buffer, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === QUOTE) return at
    if (bytes[at] === BACKSLASH) at++
  }
  return bytes.length
}
