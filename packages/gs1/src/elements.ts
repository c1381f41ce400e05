import { identifierOf, isMeant } from './identifiers.ts'
import { valueFault } from './values.ts'

/** An application identifier and its value, such as `['10', 'ABC']`. */
export type Element = readonly [ai: string, value: string]

/** What is wrong with elements that are in one code, as a sentence; undefined if nothing is. */
export function elementsFault(elements: readonly Element[]): string | undefined {
  for (const [ai, value] of elements) {
    const fault = valueFault(ai, value)
    if (fault !== undefined) return fault
  }
  return combinationFault(elements)
}

/** Why elements, each of them right, cannot be in one code. */
export function combinationFault(elements: readonly Element[]): string | undefined {
  const seen = new Map<string, string>()
  for (const [ai, value] of elements) {
    if ((seen.get(ai) ?? value) !== value) return `Repeated identifiers must have the same value: (${ai})`
    seen.set(ai, value)
  }
  // No more than there are identifiers, however often one is repeated.
  const all = [...seen.keys()]
  for (const ai of all)
    for (const name of identifierOf(ai)?.excludes ?? []) {
      const other = all.find((one) => one !== ai && isMeant(one, name))
      if (other !== undefined) return `(${ai}) and (${other}) exclude each other`
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
