/** What the URL parser encodes in a query of http and https, and percent signs that encode nothing. */
const UNSAFE = /[^\x21-\x7e]|["#<>']|%(?![0-9a-fA-F]{2})/g

/**
 * Calls back with every parameter of a query and the place of its `=`, until the callback returns false. A parameter
 * is as it was sent, but fit for a URL: the URL parser would not change a byte of it.
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

/** The characters of a request are its bytes. */
function encoded(char: string): string {
  return `%${(char.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`
}

/** What the name of a parameter stands for. */
export function nameOf(piece: string, equals: number): string {
  return decodeComponent(equals === -1 ? piece : piece.slice(0, equals))
}

/** What the value of a parameter stands for. */
export function valueOf(piece: string, equals: number): string {
  return equals === -1 ? '' : decodeComponent(piece.slice(equals + 1))
}

/** Reads a name or value as URL parsers read forms. */
function decodeComponent(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    // Bytes that are not UTF-8.
    return new URLSearchParams(`x=${text}`).get('x') ?? text
  }
}
