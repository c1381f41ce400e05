const FIRST_SLOTS = 1_024
const MAX_FILLED = 0.7
const LOW = 2 ** 32
/** In the high byte of a slot, beside the upper bits of a number: something is there. */
const TAKEN = 0x80

/** Numbers of less than 39 bits, at random: five bytes a slot, where a `Set` takes more than thirty. */
export class SeenVisits {
  #low = new Uint32Array(FIRST_SLOTS)
  #high = new Uint8Array(FIRST_SLOTS)
  #count = 0

  get count(): number {
    return this.#count
  }

  has(visit: number): boolean {
    return this.#high[this.#slotOf(visit)] !== 0
  }

  add(visit: number): void {
    const slot = this.#slotOf(visit)
    if (this.#high[slot] !== 0) return
    this.#put(slot, visit)
    if (++this.#count > this.#low.length * MAX_FILLED) this.#grow()
  }

  #put(slot: number, visit: number): void {
    this.#low[slot] = visit % LOW
    this.#high[slot] = TAKEN | (visit / LOW)
  }

  /** Where the number stands, or would stand. */
  #slotOf(visit: number): number {
    const mask = this.#low.length - 1
    const low = visit % LOW
    const high = TAKEN | (visit / LOW)
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      const found = this.#high[slot]
      if (found === 0 || (found === high && this.#low[slot] === low)) return slot
    }
  }

  #grow(): void {
    const [low, high] = [this.#low, this.#high]
    this.#low = new Uint32Array(low.length * 2)
    this.#high = new Uint8Array(high.length * 2)
    for (let slot = 0; slot < low.length; slot++) {
      if (high[slot] === 0) continue
      const visit = (high[slot]! & ~TAKEN) * LOW + low[slot]!
      this.#put(this.#slotOf(visit), visit)
    }
  }
}
