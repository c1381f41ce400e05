/** A path that makes the URL longer gets 404; a query that does is left out. */
const MAX_URL_CHARS = 8_192

/**
 * Text that could lead out of the destination's path: dot segments and backslashes, encoded or not. Encoded slashes count as
 * separators as well, because the server of the destination may decode them.
 */
const LEAVES_PATH = /\\|%5c|(?:^|\/|%2f)(?:\.|%2e){1,2}(?:\/|%2f|$)/i

/** Whether a path may be appended to a destination at all. */
export const isForwardable = (rest: string): boolean =>
  rest.length <= MAX_URL_CHARS && !LEAVES_PATH.test(rest)

/** Requests are read with one character per byte. */
const encodeByte = (byte: string): string =>
  `%${byte.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`

/**
 * The destination with `/{rest}` after its path. Its query and fragment stay. Undefined if the result would be outside of
 * the destination's path or too long.
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

/**
 * Adds the visitor's parameters to a destination. The destination's own query and fragment are unchanged, and a parameter
 * that it already has keeps its value.
 */
export function forwardQuery(url: string, query: string): string {
  if (query === '') return url
  const hash = url.indexOf('#')
  const end = hash === -1 ? url.length : hash
  const question = url.indexOf('?')
  const hasQuery = question !== -1 && question < end
  const own = hasQuery ? namesIn(url.slice(question + 1, end)) : undefined
  let added = ''
  eachParameter(query, (piece, equals) => {
    if (own?.has(nameOf(piece, equals)) === true) return true
    added += added === '' ? piece : `&${piece}`
    return added.length <= MAX_URL_CHARS
  })
  if (added === '') return url
  const before = url.slice(0, end)
  const separator = !hasQuery ? '?' : /[?&]$/.test(before) ? '' : '&'
  const result = before + separator + added + url.slice(end)
  return result.length > MAX_URL_CHARS ? url : result
}

function namesIn(query: string): Set<string> {
  const names = new Set<string>()
  eachParameter(query, (piece, equals) => {
    names.add(nameOf(piece, equals))
    return true
  })
  return names
}

/** What the URL parser encodes in a query of http and https, and percent signs without two hex digits. */
const UNSAFE = /[^\x21-\x7e]|["#<>']|%(?![0-9a-fA-F]{2})/g

/**
 * Calls back with every parameter of a query and the position of its `=`, until the callback returns false. A parameter is
 * unchanged except for encoding, so that the URL parser would not change a byte of it.
 */
export function eachParameter(query: string, visit: (piece: string, equals: number) => boolean): void {
  for (let start = 0; start < query.length;) {
    const found = query.indexOf('&', start)
    const end = found === -1 ? query.length : found
    if (end > start) {
      const piece = query.slice(start, end).replaceAll(UNSAFE, encoded)
      if (!visit(piece, piece.indexOf('='))) return
    }
    start = end + 1
  }
}

/** Each character of a request is one byte. */
function encoded(char: string): string {
  return `%${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`
}

/** The decoded name of a parameter. */
export function nameOf(piece: string, equals: number): string {
  return decodeComponent(equals === -1 ? piece : piece.slice(0, equals))
}

/** The decoded value of a parameter. */
export function valueOf(piece: string, equals: number): string {
  return equals === -1 ? '' : decodeComponent(piece.slice(equals + 1))
}

/** Decodes a name or value like URL parsers decode forms. */
function decodeComponent(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // The bytes are not UTF-8.
    return new URLSearchParams(`x=${text}`).get('x') ?? text
  }
}
