export interface CacheLimits {
  readonly maxEntries: number
  readonly maxBytes: number
  readonly ttlMs: number
}

interface Entry<V> {
  readonly value: V
  readonly bytes: number
  readonly diesAtMs: number
  readonly generation: number
}

/**
 * A bounded cache in two generations: what is read stays in the young one, entries that were not read while a whole
 * generation filled up are dropped with the old one. A hit in the young generation moves nothing, unlike a list
 * of last use. An entry's life is absolute: being read never makes it longer.
 */
export class BoundedCache<V> {
  readonly #limits: CacheLimits
  readonly #sizeOf: (value: V) => number
  readonly #clock: () => number
  #young = new Map<string, Entry<V>>()
  #old = new Map<string, Entry<V>>()
  #youngBytes = 0
  #oldBytes = 0
  /** Entries of an earlier one have expired, whatever their time. */
  #generation = 0

  /** `clock` must be monotonic: a wall clock that jumps back would lengthen lives. */
  constructor(limits: CacheLimits, sizeOf: (value: V) => number, clock: () => number) {
    this.#limits = limits
    this.#sizeOf = sizeOf
    this.#clock = clock
  }

  get(key: string): V | undefined {
    const entry = this.#young.get(key) ?? this.#promote(key)
    if (entry === undefined || entry.generation !== this.#generation) return undefined
    return entry.diesAtMs > this.#clock() ? entry.value : undefined
  }

  /** Also what has expired, as long as nothing has taken its place: for when the database does not respond. */
  stale(key: string): V | undefined {
    return (this.#young.get(key) ?? this.#old.get(key))?.value
  }

  set(key: string, value: V): void {
    this.delete(key)
    const bytes = key.length + this.#sizeOf(value)
    if (bytes > this.#limits.maxBytes / 2) return
    const diesAtMs = this.#clock() + this.#limits.ttlMs
    this.#admit(key, { value, bytes, diesAtMs, generation: this.#generation })
  }

  delete(key: string): void {
    const young = this.#young.get(key)
    if (young !== undefined) {
      this.#young.delete(key)
      this.#youngBytes -= young.bytes
    }
    const old = this.#old.get(key)
    if (old !== undefined) {
      this.#old.delete(key)
      this.#oldBytes -= old.bytes
    }
  }

  /** Every entry has to be read again; until it is, `stale` still has it. */
  expireAll(): void {
    this.#generation++
  }

  clear(): void {
    this.#young = new Map()
    this.#old = new Map()
    this.#youngBytes = 0
    this.#oldBytes = 0
  }

  get entries(): number {
    return this.#young.size + this.#old.size
  }

  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  #promote(key: string): Entry<V> | undefined {
    const entry = this.#old.get(key)
    if (entry === undefined) return undefined
    this.#old.delete(key)
    this.#oldBytes -= entry.bytes
    this.#admit(key, entry)
    return entry
  }

  #admit(key: string, entry: Entry<V>): void {
    const { maxEntries, maxBytes } = this.#limits
    if (this.#young.size + 1 > maxEntries / 2 || this.#youngBytes + entry.bytes > maxBytes / 2) {
      this.#old = this.#young
      this.#oldBytes = this.#youngBytes
      this.#young = new Map()
      this.#youngBytes = 0
    }
    this.#young.set(key, entry)
    this.#youngBytes += entry.bytes
  }
}
