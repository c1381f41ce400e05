const MAX_KEYS = 100_000

/** Fixed windows begin with the minute, so that every node and every fallback speaks of the same one. */
export const WINDOW_MS = 60_000

/** The response to one request that counts. */
export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until the window ends and the count starts again at zero. */
  readonly resetMs: number
}

export function takenFrom(count: number, limit: number, nowMs: number): Taken {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetMs: WINDOW_MS - (nowMs % WINDOW_MS),
  }
}

/**
 * Counts of the window under way. Bounded: a caller that invents names cannot fill the memory, only evict what was
 * not asked for lately. Two generations do that in constant time; a map that drops its oldest entry does not.
 */
export class WindowCounters {
  #recent = new Map<string, number>()
  #older = new Map<string, number>()
  #window = 0

  add(key: string, nowMs: number, cost = 1): number {
    const count = this.#find(key, nowMs) + cost
    this.#keep(key, count)
    return count
  }

  /** Remembers what others have counted, so that a fallback goes on from there. */
  raise(key: string, count: number, nowMs: number): void {
    if (count > this.#find(key, nowMs)) this.#keep(key, count)
  }

  get size(): number {
    return this.#recent.size + this.#older.size
  }

  #find(key: string, nowMs: number): number {
    const window = Math.floor(nowMs / WINDOW_MS)
    if (window !== this.#window) {
      this.#window = window
      this.#recent = new Map()
      this.#older = new Map()
    }
    return this.#recent.get(key) ?? this.#older.get(key) ?? 0
  }

  #keep(key: string, count: number): void {
    this.#recent.set(key, count)
    if (this.#recent.size < MAX_KEYS / 2) return
    this.#older = this.#recent
    this.#recent = new Map()
  }
}
