/** How a language writes values down. */
export interface Notation {
  readonly text: (value: string) => string
  readonly nothing: string
  readonly yes: string
  readonly no: string
  readonly list: readonly [open: string, close: string]
  readonly object: readonly [open: string, close: string]
  readonly key: (name: string) => string
  readonly indent: string
}

const MOST_IN_A_LINE = 60

const wrapped = (
  [open, close]: readonly [string, string],
  items: readonly string[],
  indent: string,
  level: number,
): string => {
  if (items.length === 0) return open + close
  const line = items.join(', ')
  if (line.length <= MOST_IN_A_LINE && !line.includes('\n')) return `${open}${line}${close}`
  const inner = indent.repeat(level + 1)
  return `${open}\n${items.map((item) => `${inner}${item},`).join('\n')}\n${indent.repeat(level)}${close}`
}

/** A value of JSON in a language; `special` writes a field in another way, such as a file. */
export function literal(
  value: unknown,
  notation: Notation,
  level = 0,
  special: Readonly<Record<string, string>> = {},
): string {
  if (value === null) return notation.nothing
  if (typeof value === 'boolean') return value ? notation.yes : notation.no
  if (typeof value === 'string') return notation.text(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => literal(item, notation, level + 1))
    return wrapped(notation.list, items, notation.indent, level)
  }
  if (typeof value === 'object') {
    const items = Object.entries(value).map(
      ([name, inner]) => notation.key(name) + (special[name] ?? literal(inner, notation, level + 1)),
    )
    return wrapped(notation.object, items, notation.indent, level)
  }
  return JSON.stringify(value)
}
