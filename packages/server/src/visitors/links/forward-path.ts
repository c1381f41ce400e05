/** A longer result is not served. */
const MAX_URL_CHARS = 8_192

/**
 * What could lead out of the destination's path: dot segments and backslashes, encoded or not. An encoded slash divides
 * segments as well, because the server of the destination may decode it.
 */
const LEAVES_PATH = /\\|%5c|(?:^|\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i

/** Whether a path may be appended to a destination at all. */
export const isForwardable = (rest: string): boolean =>
  rest.length <= MAX_URL_CHARS && !LEAVES_PATH.test(rest)

/** Requests are read one character per byte. */
const encodeByte = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

/**
 * The destination with `/{rest}` after its path. Its query and fragment stay. Undefined: the result would be outside of
 * the destination's path, or too long.
 */
export function forwardPath(url: string, rest: string): string | undefined {
  const to = URL.parse(url)
  if (to === null || !isForwardable(rest)) return undefined
  const { origin } = to
  const path = `${to.pathname.replace(/\/$/, '')}/`
  to.pathname = path + rest.replaceAll(/[^\x21-\x7e]/g, encodeByte)
  const isWithin = to.origin === origin && to.pathname.startsWith(path)
  return isWithin && to.href.length <= MAX_URL_CHARS ? to.href : undefined
}
