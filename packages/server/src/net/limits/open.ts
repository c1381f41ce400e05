import cluster from 'node:cluster'
import { primaryChannel } from '../bus/channel.ts'
import { ClusterLimits } from './cluster.ts'
import { type Limits, MemoryLimits } from './limits.ts'
import { RedisLimits } from './redis.ts'

interface LimitsOptions {
  readonly redisUrl: string | undefined
  readonly now?: () => number
  readonly report?: (error: unknown) => void
}

/** Counts are shared through Redis if it has an address, else by the workers of this machine, else not at all. */
export function openLimits({ redisUrl, now = Date.now, report = console.error }: LimitsOptions): Limits {
  if (redisUrl !== undefined) return new RedisLimits(redisUrl, now, report)
  return cluster.isWorker ? new ClusterLimits(primaryChannel(), now) : new MemoryLimits(now)
}
