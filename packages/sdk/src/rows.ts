import { editFacts } from './operation-facts.gen.ts'
import type { OperationName } from './operations.ts'

/**
 * The body of an edit. When a whole resource is sent back with changes (`{ ...link, title }`), what only the server
 * sets is left out, and so is a file that is still the address of the stored one. Clicks that came in since it was
 * read would otherwise make it look like an attempt to set them.
 */
export const editBody = (name: OperationName, input: object | undefined): object | undefined => {
  const facts = (
    editFacts as Readonly<Record<string, { readOnly: readonly string[]; files: readonly string[] }>>
  )[name]
  const isWhole = input !== undefined && facts?.readOnly.every((field) => field in input)
  if (facts === undefined || !isWhole) return input
  const kept = Object.entries(input).filter(
    ([key, value]) =>
      !facts.readOnly.includes(key) && !(facts.files.includes(key) && typeof value === 'string'),
  )
  return name === 'editPage' ? withGradient(Object.fromEntries(kept)) : Object.fromEntries(kept)
}

/** A page that is sent back whole is in the nested structure, which wants a gradient: one without colours is none. */
const withGradient = (page: Record<string, unknown>): object => {
  const theme = page['theme'] as { bggradient?: unknown } | undefined
  return theme?.bggradient === null ? { ...page, theme: { ...theme, bggradient: [null, null] } } : page
}
