const MAX_CODE_CHARS = 64
const QUESTION = 0x3f
const PLUS = 0x2b
const SLASH = 0x2f

export interface ShortCodePath {
  readonly shortCode: string
  /** A trailing `+` asks where the link leads, without going there. */
  readonly preview: boolean
}

const isCodeChar = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  isCodeChar[char.charCodeAt(0)] = 1
}

/**
 * Reads `/{code}` out of a request target as it was sent. Nothing is decoded: a code has one spelling only, so
 * percent signs, dots, further slashes and absolute forms are simply no codes.
 */
export function readShortCodePath(target: string): ShortCodePath | null {
  if (target.charCodeAt(0) !== SLASH) return null
  let end = 1
  while (end < target.length && end <= MAX_CODE_CHARS && isCodeChar[target.charCodeAt(end)] === 1) end++
  if (end === 1) return null
  const next = end === target.length ? QUESTION : target.charCodeAt(end)
  if (next === QUESTION) return { shortCode: target.slice(1, end), preview: false }
  if (next !== PLUS) return null
  const after = end + 1
  if (after !== target.length && target.charCodeAt(after) !== QUESTION) return null
  return { shortCode: target.slice(1, end), preview: true }
}
