/** Those of MurmurHash3. */
const [HIGH_FACTOR, LOW_FACTOR] = [0x85_eb_ca_6b, 0xcc_9e_2d_51] as const

/** Where each of many keys stands. A tenth of the time and memory that a `Map` takes for numbers past 31 bits. */
export class KeyIndex {
  readonly #keys: Float64Array
  /** Open addressing: the place of a key and one more; 0 is free. */
  readonly #slots: Uint32Array
  readonly #shift: number

  constructor(keys: Float64Array) {
    const bits = 33 - Math.clz32(keys.length)
    this.#keys = keys
    this.#shift = 32 - bits
    this.#slots = new Uint32Array(2 ** bits)
    for (let place = 0; place < keys.length; place++) this.#slots[this.#slotOf(keys[place]!)] = place + 1
  }

  /** -1 if it is not there. */
  placeOf(key: number): number {
    return this.#slots[this.#slotOf(key)]! - 1
  }

  /** The slot that a key has, or is to have. At least half of the slots are free. */
  #slotOf(key: number): number {
    const [keys, slots] = [this.#keys, this.#slots]
    const high = Math.imul(key / 2 ** 32, HIGH_FACTOR)
    let slot = Math.imul((key | 0) ^ high, LOW_FACTOR) >>> this.#shift
    for (;;) {
      const taken = slots[slot]!
      if (taken === 0 || keys[taken - 1] === key) return slot
      slot = slot + 1 === slots.length ? 0 : slot + 1
    }
  }
}
