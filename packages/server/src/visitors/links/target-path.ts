const MAX_CODE_CHARS = 64
const QUESTION = 0x3f
const PLUS = 0x2b
const SLASH = 0x2f

export interface ShortCodePath {
  readonly shortCode: string
  /** A trailing `+` asks where the link leads, without going there. */
  readonly preview: boolean
}

const isShortCodeChar = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-') {
  isShortCodeChar[char.charCodeAt(0)] = 1
}

/** Where a short code that starts at `from` ends. One that is too long ends after the longest one allowed. */
export function shortCodeEnd(text: string, from: number): number {
  const last = Math.min(text.length, from + MAX_CODE_CHARS)
  let end = from
  while (end < last && isShortCodeChar[text.charCodeAt(end)] === 1) end++
  return end
}

/**
 * Reads `/{code}` out of a request target as it was sent. Nothing is decoded: a code has one spelling only, so
 * percent signs, dots, further slashes and absolute forms are simply no codes.
 */
export function readShortCodePath(target: string): ShortCodePath | null {
  if (target.charCodeAt(0) !== SLASH) return null
  const end = shortCodeEnd(target, 1)
  if (end === 1) return null
  const next = end === target.length ? QUESTION : target.charCodeAt(end)
  if (next === QUESTION) return { shortCode: target.slice(1, end), preview: false }
  if (next !== PLUS) return null
  const after = end + 1
  if (after !== target.length && target.charCodeAt(after) !== QUESTION) return null
  return { shortCode: target.slice(1, end), preview: true }
}

/** What follows the question mark of a request target or URL, without the fragment. */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  if (question === -1) return ''
  const hash = target.indexOf('#')
  if (hash === -1) return target.slice(question + 1)
  return hash < question ? '' : target.slice(question + 1, hash)
}
