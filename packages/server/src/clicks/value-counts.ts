/** How often each value came up. Most links see one value of a kind in a batch: that one needs no map. */
export class ValueCounts {
  #first = ''
  #firstCount = 0
  #more: Map<string, number> | undefined

  has(value: string): boolean {
    return (this.#firstCount > 0 && this.#first === value) || this.#more?.has(value) === true
  }

  add(value: string): void {
    if (this.#firstCount === 0) this.#first = value
    if (this.#first === value) {
      this.#firstCount++
      return
    }
    this.#more ??= new Map()
    this.#more.set(value, (this.#more.get(value) ?? 0) + 1)
  }

  /** In the order of the values. */
  get entries(): readonly (readonly [value: string, count: number])[] {
    const first = [this.#first, this.#firstCount] as const
    if (this.#more === undefined) return this.#firstCount === 0 ? [] : [first]
    return [first, ...this.#more].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
