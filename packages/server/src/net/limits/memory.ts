import type { Limits } from './limits.ts'
import { WINDOW_MS, WindowCounters, takenFrom } from './windows.ts'
import type { Taken } from './windows.ts'

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
