import { identifierOf, isMeant } from './identifiers.ts'
import { valueFault } from './values.ts'

/** An application identifier and its value, such as `['10', 'ABC']`. */
export type Element = readonly [ai: string, value: string]

/** What is wrong with elements that are in one code, as a sentence; undefined if nothing is. */
export function elementsFault(elements: readonly Element[]): string | undefined {
  const seen = new Map<string, string>()
  for (const [ai, value] of elements) {
    const fault = valueFault(ai, value)
    if (fault !== undefined) return fault
    if ((seen.get(ai) ?? value) !== value) return `Repeated identifiers must have the same value: (${ai})`
    seen.set(ai, value)
  }
  // No more than there are identifiers, however often one is repeated.
  const all = [...seen.keys()]
  for (const ai of all) {
    const other = identifierOf(ai)?.excludes?.flatMap(
      (name) => all.find((one) => one !== ai && isMeant(one, name)) ?? [],
    )
    if (other?.[0] !== undefined) return `(${ai}) and (${other[0]}) exclude each other`
  }
  return undefined
}

/**
 * Which identifiers are missing beside others, a sentence each. They may be in another code on the same item, so this is no
 * error of one code.
 */
export function missingElements(elements: readonly Element[]): string[] {
  const all = [...new Set(elements.map(([ai]) => ai))]
  return all.flatMap((ai) => {
    const { requires } = identifierOf(ai) ?? {}
    const hasAll = (group: readonly string[]): boolean =>
      group.every((name) => all.some((one) => one !== ai && isMeant(one, name)))
    if (requires === undefined || requires.some(hasAll)) return []
    const groups = requires.map((group) => group.map((name) => `(${name})`).join(' with '))
    return `(${ai}) belongs to ${groups.join(' or ')}, which is not here`
  })
}
