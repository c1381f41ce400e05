import { AppError } from '../errors.ts'

/** Rate limits: requests per minute of a key, an address or a session, and other counts in time windows. */
export interface Limits {
  /**
   * Counts one request, or its cost in units; a negative cost returns units. Never fails or hangs: without Redis, or the
   * primary, this process counts alone.
   */
  take(key: string, limit: number, cost?: number, windowMs?: number): Promise<Taken>
  /** Why counts are currently not shared with other nodes, if they should be. */
  fault(): string | undefined
  close(): Promise<void>
}

const MAX_KEYS = 100_000

/** The default window. Fixed windows begin with the minute or hour, so every node and every fallback uses the same one. */
export const WINDOW_MS = 60_000

/** The result of counting one request. */
export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Time until the window ends and the count starts at zero. */
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
 * Counts of the current window, for each window length. Bounded: a caller that invents keys cannot fill the memory, only
 * evict keys that were not used recently. Two generations do that in constant time; deleting the oldest entry of a map does
 * not.
 */
export class WindowCounters {
  readonly #lengths = new Map<number, Counts>()

  add(key: string, nowMs: number, cost = 1, windowMs = WINDOW_MS): number {
    const counts = this.#countsOf(nowMs, windowMs)
    const count = find(counts, key) + cost
    put(counts, key, count)
    return count
  }

  /** Stores counts of other processes, so that a fallback continues from there. */
  raise(key: string, count: number, nowMs: number, windowMs = WINDOW_MS): void {
    const counts = this.#countsOf(nowMs, windowMs)
    if (count > find(counts, key)) put(counts, key, count)
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

const put = (counts: Counts, key: string, count: number): void => {
  counts.recent.set(key, count)
  if (counts.recent.size < MAX_KEYS / 2) return
  counts.older = counts.recent
  counts.recent = new Map()
}

export class MemoryLimits implements Limits {
  readonly #counters = new WindowCounters()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  take(key: string, limit: number, cost = 1, windowMs = WINDOW_MS): Promise<Taken> {
    const nowMs = this.#now()
    const count = this.#counters.add(key, nowMs, cost, windowMs)
    return Promise.resolve(takenFrom(count, limit, nowMs, windowMs))
  }

  fault(): undefined {
    return undefined
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}

/** Fails with 429 and the time to wait. */
export async function takeOrReject(
  limits: Limits,
  bucket: string,
  limit: number,
  windowMs?: number,
): Promise<void> {
  const { allowed, resetMs } = await limits.take(bucket, limit, 1, windowMs)
  if (!allowed) throw rateLimited(resetMs)
}

/** 429 with the time to wait. */
export const rateLimited = (resetMs: number): AppError =>
  new AppError('rate_limited', {
    headers: { 'retry-after': String(Math.max(1, Math.ceil(resetMs / 1000))) },
  })

/**
 * Waits for a response up to a limit. A response that is already in the socket counts: timers run before sockets are read,
 * so the deadline checks once more after reading.
 */
export function withTimeout<T>(answer: Promise<T>, limitMs: number): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => resolve(undefined)), limitMs)
    answer.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
