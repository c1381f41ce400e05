export interface ShortCodePath {
  readonly shortCode: string
  /** A trailing `+` requests a page that shows the destination. */
  readonly preview: boolean
  /** The part after `/{code}/`; '' if empty. `/{code}/` is the same as `/{code}`. */
  readonly rest: string
}

const MAX_CODE_BYTES = 64
const PATH = new RegExp(`^/([\\w-]{1,${MAX_CODE_BYTES}})(?:(\\+)|/([^?#]*))?(?:\\?|$)`)

const isShortCodeByte = new Uint8Array(256)
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-')) {
  isShortCodeByte[byte] = 1
}

/** Where a short code that starts at `from` ends. One that is too long ends after the maximum length. */
export function shortCodeEnd(bytes: Uint8Array, from: number): number {
  const last = Math.min(bytes.length, from + MAX_CODE_BYTES)
  let end = from
  while (end < last && isShortCodeByte[bytes[end]!] === 1) end++
  return end
}

/**
 * Parses `/{code}`, `/{code}+` or `/{code}/{rest}` from a request target. Nothing is decoded: a code has only one spelling,
 * so percent signs, dots, a second slash and absolute forms do not match.
 */
export function readShortCodePath(target: string): ShortCodePath | null {
  const [, shortCode, plus, rest = ''] = PATH.exec(target) ?? []
  return shortCode === undefined ? null : { shortCode, preview: plus === '+', rest }
}

/** The part after the question mark of a request target or URL, without the fragment. */
export function queryOf(target: string): string {
  const question = target.indexOf('?')
  if (question === -1) return ''
  const hash = target.indexOf('#')
  if (hash === -1) return target.slice(question + 1)
  return hash < question ? '' : target.slice(question + 1, hash)
}
