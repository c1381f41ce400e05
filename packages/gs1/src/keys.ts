import { IDENTIFIERS } from './identifiers.gen.ts'

const QUALIFIERS: ReadonlyMap<string, readonly (readonly string[])[]> = new Map(
  IDENTIFIERS.flatMap(({ first, qualifiers }) =>
    qualifiers === undefined ? [] : [[first, qualifiers] as const],
  ),
)

/** The primary keys of GS1 Digital Link. */
export const PRIMARY_KEYS: readonly string[] = [...QUALIFIERS.keys()]

/** Qualifiers without which a key is incomplete. */
const REQUIRED: Readonly<Record<string, string>> = { '415': '8020' }

/** The alternatives of the qualifiers of a primary key, each in order; undefined if it is not a primary key. */
export function qualifiersOf(key: string): readonly (readonly string[])[] | undefined {
  return QUALIFIERS.get(key)
}

/** The qualifier that a key cannot do without. */
export function requiredQualifier(key: string): string | undefined {
  return REQUIRED[key]
}

/** Whether these qualifiers, in this order, may follow a key. */
export function areQualifiers(key: string, names: readonly string[]): boolean {
  return (QUALIFIERS.get(key) ?? []).some((order) => isInOrder(names, order)) || names.length === 0
}

function isInOrder(names: readonly string[], order: readonly string[]): boolean {
  let at = 0
  for (const name of names) {
    at = order.indexOf(name, at) + 1
    if (at === 0) return false
  }
  return true
}

const SLASH = 47

/**
 * Whether a path begins, after a prefix such as `/gs1`, with a primary key and a slash. Cheap, for every request of a domain
 * with GS1. The prefix is empty or begins with a slash and does not end with one.
 */
export function beginsWithKey(path: string, prefix = ''): boolean {
  const start = prefix.length + 1
  if (path.charCodeAt(start - 1) !== SLASH || !path.startsWith(prefix)) return false
  for (let end = start + 2; end <= start + 4; end++)
    if (path.charCodeAt(end) === SLASH) return QUALIFIERS.has(path.slice(start, end))
  return false
}
