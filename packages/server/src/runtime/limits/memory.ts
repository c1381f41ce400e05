import type { Limits } from './limits.ts'
import { WindowCounters, takenFrom } from './windows.ts'
import type { Taken } from './windows.ts'

export class MemoryLimits implements Limits {
  readonly #counters = new WindowCounters()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  take(key: string, limit: number, cost = 1): Promise<Taken> {
    const nowMs = this.#now()
    return Promise.resolve(takenFrom(this.#counters.add(key, nowMs, cost), limit, nowMs))
  }

  fault(): undefined {
    return undefined
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
