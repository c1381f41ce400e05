import type { Thing } from './digital-link.ts'
import { identifierOf } from './identifiers.ts'

/**
 * The levels of a thing, from itself to its key: without its last qualifier, without the last two, and so on. Where a serial is
 * part of the value of the key (253, 255, 8003), the last level is the value without it.
 */
export function levelsOf({ key, value, qualifiers }: Thing): Thing[] {
  const levels = qualifiers.map((_, index) => ({
    key,
    value,
    qualifiers: qualifiers.slice(0, qualifiers.length - index),
  }))
  const whole = { key, value, qualifiers: [] }
  const length = lengthWithoutSerial(key)
  return value.length > length
    ? [...levels, whole, { ...whole, value: value.slice(0, length) }]
    : [...levels, whole]
}

/** Digits of a key without its serial; infinite for keys whose value has none. */
function lengthWithoutSerial(key: string): number {
  const components = identifierOf(key)?.components ?? []
  if (components.every(({ isOptional }) => isOptional !== true)) return Infinity
  return components.reduce((sum, { max, isOptional }) => sum + (isOptional === true ? 0 : max), 0)
}
