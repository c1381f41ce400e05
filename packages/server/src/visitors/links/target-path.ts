export interface ShortCodePath {
  readonly shortCode: string
  /** A trailing `+` asks where the link leads, without going there. */
  readonly preview: boolean
  /** What follows `/{code}/`; '' for nothing. `/{code}/` is the same as `/{code}`. */
  readonly rest: string
}

const MAX_CODE_BYTES = 64
const PATH = new RegExp(`^/([\\w-]{1,${MAX_CODE_BYTES}})(?:(\\+)|/([^?#]*))?(?:\\?|$)`)

const isShortCodeByte = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')) {
  isShortCodeByte[byte] = 1
}

/** Where a short code that starts at `from` ends. One that is too long ends after the longest one allowed. */
export function shortCodeEnd(bytes: Uint8Array, from: number): number {
  const last = Math.min(bytes.length, from + MAX_CODE_BYTES)
  let end = from
  while (end < last && isShortCodeByte[bytes[end]!] === 1) end++
  return end
}

/**
 * Reads `/{code}`, `/{code}+` or `/{code}/{rest}` out of a request target as it was sent. Nothing is decoded: a code
 * has one spelling only, so one with a percent sign, a dot or a slash in front is none, and so are absolute forms.
 */
export function readShortCodePath(target: string): ShortCodePath | null {
  const [, shortCode, plus, rest = ''] = PATH.exec(target) ?? []
  return shortCode === undefined ? null : { shortCode, preview: plus === '+', rest }
}

/** What follows the question mark of a request target or URL, without the fragment. */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  if (question === -1) return ''
  const hash = target.indexOf('#')
  if (hash === -1) return target.slice(question + 1)
  return hash < question ? '' : target.slice(question + 1, hash)
}
