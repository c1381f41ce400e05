const FIRST_SLOTS = 1_024
const MAX_FILLED = 0.5
/** Ids are at random in their lower bits (visit-id.ts). */
const LOW_BITS = 2 ** 32

/**
 * The different visits of a batch, numbered from 1 on as they come; 0 is no visit. A table of its own in place of a `Map`,
 * which would make an object of every id: there are two ids for each click.
 */
export class VisitNumbers {
  /** For each slot the number of the visit in it. */
  #slots = new Int32Array(FIRST_SLOTS)
  #ids = new Float64Array(FIRST_SLOTS)
  #isNew = new Uint8Array(0)
  #count = 0

  numberOf(id: number): number {
    const slot = this.#slotOf(id)
    const known = this.#slots[slot]!
    if (known !== 0) return known
    const number = ++this.#count
    this.#slots[slot] = number
    this.#ids[number] = id
    if (number >= this.#slots.length * MAX_FILLED) this.#grow()
    return number
  }

  /** All of them, in the order of their numbers. */
  get ids(): Float64Array {
    return this.#ids.subarray(1, this.#count + 1)
  }

  /** These were not in the database before. */
  noteNew(ids: Iterable<number>): void {
    this.#isNew = new Uint8Array(this.#count + 1)
    for (const id of ids) this.#isNew[this.#slots[this.#slotOf(id)]!] = 1
    this.#isNew[0] = 0
  }

  /** True once for each new visit: at the click that came first. */
  takeNew(number: number): boolean {
    if (this.#isNew[number] !== 1) return false
    this.#isNew[number] = 0
    return true
  }

  /** Where the id stands, or would stand. */
  #slotOf(id: number): number {
    const mask = this.#slots.length - 1
    for (let slot = (id % LOW_BITS) & mask; ; slot = (slot + 1) & mask) {
      const number = this.#slots[slot]!
      if (number === 0 || this.#ids[number] === id) return slot
    }
  }

  #grow(): void {
    const ids = new Float64Array(this.#ids.length * 2)
    ids.set(this.#ids)
    this.#ids = ids
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let number = 1; number <= this.#count; number++) this.#slots[this.#slotOf(ids[number]!)] = number
  }
}
