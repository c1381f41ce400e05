import { IDENTIFIERS } from './identifiers.gen.ts'
import type { Identifier } from './identifier.ts'

const BY_NUMBER: ReadonlyMap<string, Identifier> = new Map(
  IDENTIFIERS.flatMap((row) => numbersOf(row).map((ai) => [ai, row] as const)),
)

/** What the dictionary says of an application identifier; undefined if there is none. */
export function identifierOf(ai: string): Identifier | undefined {
  return BY_NUMBER.get(ai)
}

/** The application identifiers of a row: one, or all of a range. */
export function numbersOf({ first, last = first }: Identifier): string[] {
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) =>
    String(Number(first) + index).padStart(first.length, '0'),
  )
}

/** Whether an identifier is meant by a name of the dictionary: itself, or a pattern such as `31nn`. */
export function isMeant(ai: string, name: string): boolean {
  const at = name.indexOf('n')
  return at < 0 ? ai === name : ai.length === name.length && ai.startsWith(name.slice(0, at))
}
