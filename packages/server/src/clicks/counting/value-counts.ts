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
