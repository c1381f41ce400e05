/** Values of a dimension that are kept apart when clicks are added up; the same in every kind of sum. */
export const MAX_VALUES = 1_000
/** Stands for everything past the limit; no host, label or name is spelled like this. */
export const OTHER_VALUES = '(other)'

type Counted = readonly [value: string, clicks: number]

/**
 * Most frequent first, then by name. Visitors choose what stands in a referrer: past the limit values are counted together,
 * as the last one.
 */
export function withOthers(counts: Iterable<Counted>, limit = MAX_VALUES): Counted[] {
  const all = [...counts]
  const values = all.filter(([value]) => value !== OTHER_VALUES)
  values.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  const listed = values.slice(0, limit)
  const sum = (some: readonly Counted[]): number => some.reduce((total, [, clicks]) => total + clicks, 0)
  const rest = sum(all) - sum(listed)
  return rest > 0 ? [...listed, [OTHER_VALUES, rest]] : listed
}

/** How often each value came up. Most links see one value of a kind in a batch: that one needs no map. */
export class ValueCounts {
  #first = ''
  #firstCount = 0
  #more: Map<string, number> | undefined

  add(value: string): void {
    if (this.#firstCount === 0) this.#first = value
    if (this.#first === value) {
      this.#firstCount++
      return
    }
    this.#more ??= new Map()
    this.#more.set(value, (this.#more.get(value) ?? 0) + 1)
  }

  get entries(): readonly (readonly [value: string, count: number])[] {
    const first = [this.#first, this.#firstCount] as const
    if (this.#firstCount === 0) return []
    return this.#more === undefined ? [first] : [first, ...this.#more]
  }
}
