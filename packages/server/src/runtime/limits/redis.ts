import type { Redis } from 'ioredis'
import { connectRedis } from '../bus/redis-connection.ts'
import type { Limits } from './limits.ts'
import { patiently } from './patience.ts'
import { WINDOW_MS, WindowCounters, takenFrom } from './windows.ts'
import type { Taken } from './windows.ts'

const COMMAND_TIMEOUT_MS = 1_000
const ANSWER_MS = 250
/** After a command that timed out, no command waits for a response for this long. */
const PAUSE_MS = 1_000

const COUNT = `
local count = redis.call('incrby', KEYS[1], ARGV[2])
if count == tonumber(ARGV[2]) then redis.call('pexpire', KEYS[1], ARGV[1]) end
return count`

/** Counts of all nodes; while Redis is unavailable each node counts alone, starting from the last shared count. */
export class RedisLimits implements Limits {
  readonly #redis: Redis
  readonly #now: () => number
  readonly #own = new WindowCounters()
  #pausedUntil = 0

  constructor(url: string, now: () => number, report: (error: unknown) => void) {
    this.#redis = connectRedis(url, COMMAND_TIMEOUT_MS, report)
    this.#now = now
  }

  async take(key: string, limit: number, cost = 1): Promise<Taken> {
    const nowMs = this.#now()
    const shared = await this.#count(key, cost, nowMs)
    if (shared === undefined) return takenFrom(this.#own.add(key, nowMs, cost), limit, nowMs)
    this.#own.raise(key, shared, nowMs)
    return takenFrom(shared, limit, nowMs)
  }

  close(): Promise<void> {
    this.#redis.disconnect()
    return Promise.resolve()
  }

  async #count(key: string, cost: number, nowMs: number): Promise<number | undefined> {
    if (this.#redis.status !== 'ready' || performance.now() < this.#pausedUntil) return undefined
    const name = `waymark:limit:${Math.floor(nowMs / WINDOW_MS)}:${key}`
    const asked = this.#redis.eval(COUNT, 1, name, 2 * WINDOW_MS, cost)
    const count = await patiently(asked, ANSWER_MS).catch(() => undefined)
    if (count !== undefined) return Number(count)
    this.#pausedUntil = performance.now() + PAUSE_MS
    return undefined
  }
}
