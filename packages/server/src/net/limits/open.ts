import type { Channel } from '../bus/channel.ts'
import { ClusterLimits } from './cluster.ts'
import { type Limits, MemoryLimits } from './limits.ts'
import { RedisLimits } from './redis.ts'

interface LimitsOptions {
  readonly redisUrl: string | undefined
  /** To the process that counts for several. */
  readonly channel?: Channel | undefined
  readonly now?: () => number
  readonly report?: (error: unknown) => void
}

/** Counts are shared through Redis if it has an address, else by the workers of this machine, else not at all. */
export function openLimits({
  redisUrl,
  channel,
  now = Date.now,
  report = console.error,
}: LimitsOptions): Limits {
  if (redisUrl !== undefined) return new RedisLimits(redisUrl, now, report)
  return channel === undefined ? new MemoryLimits(now) : new ClusterLimits(channel, now)
}
