export interface Parameter {
  /** Lower-cased. */
  name: string
  /** Between the quotes where there are quotes, escapes left alone. */
  raw: string
}

export interface HeaderValue {
  /** Lower-cased: `multipart/form-data`, `form-data`. */
  value: string
  parameters: Parameter[]
}

const SPACE = /[ \t]*/y
const TOKEN = /[^\s"(),/:;<=>?@[\\\]{}]+/y
// Clients put characters outside the token set into unquoted values (boundaries with a slash, file names):
// what cannot be confused with the next parameter is taken.
const BARE = /[^\s";]*/y

/** `value; name=token; name="quoted \" string"`: undefined when it is not of that form. */
export function parseHeaderValue(text: string): HeaderValue | undefined {
  const semicolon = text.indexOf(';')
  const value = (semicolon === -1 ? text : text.slice(0, semicolon)).trim().toLowerCase()
  if (value === '') return undefined
  const parameters: Parameter[] = []
  let at = semicolon === -1 ? text.length : semicolon
  while (at < text.length) {
    if (text[at] !== ';') return undefined
    at = skip(SPACE, text, at + 1)
    if (at === text.length || text[at] === ';') continue
    const nameEnd = skip(TOKEN, text, at)
    const equals = skip(SPACE, text, nameEnd)
    if (nameEnd === at || text[equals] !== '=') return undefined
    const start = skip(SPACE, text, equals + 1)
    const quoted = text[start] === '"'
    const end = quoted ? closingQuote(text, start + 1) : skip(BARE, text, start)
    if (end === -1) return undefined
    parameters.push({
      name: text.slice(at, nameEnd).toLowerCase(),
      raw: text.slice(quoted ? start + 1 : start, end),
    })
    at = skip(SPACE, text, quoted ? end + 1 : end)
  }
  return { value, parameters }
}

/** The one parameter of that name; `undefined` without one, `null` when it is given twice and so means nothing. */
export function parameter(header: HeaderValue, name: string): string | undefined | null {
  const found = header.parameters.filter((parameter) => parameter.name === name)
  return found.length > 1 ? null : found[0]?.raw
}

/** Takes the backslash off an escaped quote or backslash; any other backslash stands for itself (Windows paths). */
export function unescapeQuoted(raw: string): string {
  return raw.replaceAll(/\\(["\\])/g, '$1')
}

function closingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '"') return at
    if (text[at] === '\\' && (text[at + 1] === '"' || text[at + 1] === '\\')) at++
  }
  return -1
}

function skip(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}
