const MAX_KEYS = 100_000

/** The usual window. Fixed windows begin with the minute or the hour, so that every node and every fallback speaks of the same one. */
export const WINDOW_MS = 60_000

/** The response to one request that counts. */
export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Until the window ends and the count starts again at zero. */
  readonly resetMs: number
}

export function takenFrom(count: number, limit: number, nowMs: number, windowMs = WINDOW_MS): Taken {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetMs: windowMs - (nowMs % windowMs),
  }
}

/**
 * Counts of the window under way, for each length of window. Bounded: a caller that invents names cannot fill the
 * memory, only evict what was not asked for lately. Two generations do that in constant time; a map that drops its
 * oldest entry does not.
 */
export class WindowCounters {
  readonly #lengths = new Map<number, Counts>()

  add(key: string, nowMs: number, cost = 1, windowMs = WINDOW_MS): number {
    const counts = this.#countsOf(nowMs, windowMs)
    const count = find(counts, key) + cost
    keep(counts, key, count)
    return count
  }

  /** Remembers what others have counted, so that a fallback goes on from there. */
  raise(key: string, count: number, nowMs: number, windowMs = WINDOW_MS): void {
    const counts = this.#countsOf(nowMs, windowMs)
    if (count > find(counts, key)) keep(counts, key, count)
  }

  get size(): number {
    return [...this.#lengths.values()].reduce((sum, { recent, older }) => sum + recent.size + older.size, 0)
  }

  #countsOf(nowMs: number, windowMs: number): Counts {
    const window = Math.floor(nowMs / windowMs)
    let counts = this.#lengths.get(windowMs)
    if (counts?.window !== window) {
      counts = { window, recent: new Map(), older: new Map() }
      this.#lengths.set(windowMs, counts)
    }
    return counts
  }
}

interface Counts {
  readonly window: number
  recent: Map<string, number>
  older: Map<string, number>
}

const find = ({ recent, older }: Counts, key: string): number => recent.get(key) ?? older.get(key) ?? 0

const keep = (counts: Counts, key: string, count: number): void => {
  counts.recent.set(key, count)
  if (counts.recent.size < MAX_KEYS / 2) return
  counts.older = counts.recent
  counts.recent = new Map()
}
