import type { Redis } from 'ioredis'
import { connectRedis } from '../bus/redis.ts'
import { type Limits, withTimeout, type Taken, takenFrom, WINDOW_MS, WindowCounters } from './limits.ts'

const COMMAND_TIMEOUT_MS = 2_000
/** Long enough for a busy machine: after this time only this node counts the request. */
const ANSWER_MS = 1_000

const COUNT = `
local count = redis.call('incrby', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('pexpire', KEYS[1], ARGV[1]) end
return count`

/** Counts of all nodes; while Redis is unavailable, each node counts alone, starting from the last shared count. */
export class RedisLimits implements Limits {
  readonly #redis: Redis
  readonly #now: () => number
  readonly #own = new WindowCounters()

  constructor(url: string, now: () => number, report: (error: unknown) => void) {
    this.#redis = connectRedis(url, COMMAND_TIMEOUT_MS, report)
    this.#now = now
  }

  async take(key: string, limit: number, cost = 1, windowMs = WINDOW_MS): Promise<Taken> {
    const nowMs = this.#now()
    const shared = await this.#count(key, cost, nowMs, windowMs)
    if (shared === undefined)
      return takenFrom(this.#own.add(key, nowMs, cost, windowMs), limit, nowMs, windowMs)
    this.#own.raise(key, shared, nowMs, windowMs)
    return takenFrom(shared, limit, nowMs, windowMs)
  }

  fault(): string | undefined {
    return this.#redis.status === 'ready' ? undefined : 'unavailable'
  }

  close(): Promise<void> {
    this.#redis.disconnect()
    return Promise.resolve()
  }

  async #count(key: string, cost: number, nowMs: number, windowMs: number): Promise<number | undefined> {
    if (this.#redis.status !== 'ready') return undefined
    const name = `waymark:limit:${windowMs}:${Math.floor(nowMs / windowMs)}:${key}`
    const asked = this.#redis.eval(COUNT, 1, name, 2 * windowMs, cost)
    const answer = withTimeout(asked, ANSWER_MS).then((count) => {
      // Only a new connection, which the server must answer first, shows that Redis is back. Until then no request waits.
      if (count === undefined) this.#redis.disconnect(true)
      return count
    })
    const count = await answer.catch(() => undefined)
    return count === undefined ? undefined : Number(count)
  }
}
