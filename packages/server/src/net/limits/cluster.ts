import type { Channel } from '../bus/channel.ts'
import { type Limits, withTimeout, type Taken, takenFrom, WINDOW_MS, WindowCounters } from './limits.ts'

/** The primary responds in well under a millisecond, or later on a busy machine. This limit is for a dead one. */
const ANSWER_MS = 1_000

/** Counts of all workers of this machine, held by their primary. */
export class ClusterLimits implements Limits {
  readonly #channel: Channel
  readonly #now: () => number
  readonly #own = new WindowCounters()
  readonly #waiting = new Map<number, (count: number) => void>()
  readonly #stop: () => void
  #asked = 0

  constructor(channel: Channel, now: () => number) {
    this.#channel = channel
    this.#now = now
    this.#stop = channel.listen((note) => {
      if (note.kind === 'counted') this.#waiting.get(note.id)?.(note.count)
    })
  }

  async take(key: string, limit: number, cost = 1, windowMs = WINDOW_MS): Promise<Taken> {
    const nowMs = this.#now()
    const shared = await this.#ask(key, cost, windowMs)
    if (shared === undefined)
      return takenFrom(this.#own.add(key, nowMs, cost, windowMs), limit, nowMs, windowMs)
    this.#own.raise(key, shared, nowMs, windowMs)
    return takenFrom(shared, limit, nowMs, windowMs)
  }

  fault(): undefined {
    return undefined
  }

  close(): Promise<void> {
    this.#stop()
    return Promise.resolve()
  }

  #ask(key: string, cost: number, windowMs: number): Promise<number | undefined> {
    const id = ++this.#asked
    const counted = new Promise<number>((resolve) => {
      this.#waiting.set(id, resolve)
      this.#channel.send({ kind: 'count', id, key, cost, windowMs })
    })
    return withTimeout(counted, ANSWER_MS).finally(() => this.#waiting.delete(id))
  }
}
