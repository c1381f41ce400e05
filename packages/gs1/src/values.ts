import { CHECKS } from './checks.ts'
import type { CharacterSet, Component } from './identifier.ts'
import { identifierOf } from './identifiers.ts'

const SETS: Readonly<Record<CharacterSet, { pattern: RegExp; fault: string }>> = {
  N: { pattern: /^\d*$/, fault: 'only digits are allowed here' },
  X: {
    pattern: /^[!"%&'()*+,\-./0-9:;<=>?A-Z_a-z]*$/,
    fault: `only letters from A to Z, digits and !"%&'()*+,-./:;<=>?_ are allowed here`,
  },
  Y: {
    pattern: /^[#\-/0-9A-Z]*$/,
    fault: 'only capital letters from A to Z, digits and #-/ are allowed here',
  },
  // Base64 for URLs; padding is optional, and right if it is there.
  Z: {
    pattern: /^(?:[\w-]*|(?:[\w-]{3})*(?:[\w-]==|[\w-]{2}=))$/,
    fault: 'only letters from A to Z, digits, - and _ are allowed here',
  },
}

/** What is wrong with the value of an application identifier, as a sentence; undefined if nothing is. Takes constant time. */
export function valueFault(ai: string, value: string): string | undefined {
  const identifier = identifierOf(ai)
  if (identifier === undefined) return unknownFault(ai)
  const { components } = identifier
  const length = lengthFault(value, components)
  if (length !== undefined) return `(${ai}): ${length}${isGtin(ai) ? GTIN_HINT : ''}`
  let at = 0
  for (const component of components) {
    const part = value.slice(at, at + component.max)
    at += part.length
    const fault = componentFault(part, component)
    if (fault === undefined) continue
    return fault.startsWith(CHECK_DIGIT)
      ? `The check digit of (${ai}) ${fault.slice(CHECK_DIGIT.length)}`
      : `(${ai}): ${fault}`
  }
  return undefined
}

/** The sentence for an identifier that does not exist. */
export function unknownFault(ai: string): string {
  return `There is no application identifier (${shown(ai)})`
}

const LONGEST_SHOWN = 20

/** A text of a stranger, short enough for a sentence. */
export function shown(text: string): string {
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text
}

const CHECK_DIGIT = 'the check digit '
const GTIN_HINT = ': a GTIN has 14 digits here, with zeros in front'

const isGtin = (ai: string): boolean => ai === '01' || ai === '02' || ai === '03'

function lengthFault(value: string, components: readonly Component[]): string | undefined {
  let [least, most] = [0, 0]
  for (const { min, max, isOptional } of components) {
    least += isOptional === true ? 0 : min
    most += max
  }
  if (value.length < least) return 'too short'
  return value.length > most ? 'too long' : undefined
}

function componentFault(part: string, { set, min, isOptional, checks = [] }: Component): string | undefined {
  if (part === '' && isOptional === true) return undefined
  if (part.length < min) return 'too short'
  const { pattern, fault } = SETS[set]
  if (!pattern.test(part)) return fault
  for (const check of checks) {
    const found = CHECKS[check](part)
    if (found !== undefined) return found
  }
  return undefined
}
