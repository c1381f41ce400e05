import { LRUCache } from 'lru-cache'
import type { Dimension } from './rollup.ts'

const MAX_VALUES_A_DAY = 200
/** Stands for everything past the limit; no host, label or name is spelled like this. */
export const OTHER_VALUES = '(other)'

/** The others have a fixed set of values. */
const chosenByVisitors: ReadonlySet<Dimension> = new Set<Dimension>(['referrer', 'button', 'icon'])

/**
 * Visitors choose what stands in a referrer. One who invents a new one for every request must not make a row of
 * each: past a number of values a day, the rest of a scope are counted together.
 */
export class ValueLimiter {
  readonly #seen = new LRUCache<string, Set<string>>({ max: 2_000 })
  readonly #maxValues: number

  constructor(maxValues = MAX_VALUES_A_DAY) {
    this.#maxValues = maxValues
  }

  admit(scopeDay: string, dimension: Dimension, value: string): string {
    if (value === '' || !chosenByVisitors.has(dimension)) return value
    const key = `${scopeDay} ${dimension}`
    const values = this.#seen.get(key) ?? new Set()
    if (values.has(value)) return value
    if (values.size >= this.#maxValues) return OTHER_VALUES
    if (values.size === 0) this.#seen.set(key, values)
    values.add(value)
    return value
  }
}
