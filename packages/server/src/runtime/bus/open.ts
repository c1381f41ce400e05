import cluster from 'node:cluster'
import type { Bus } from './bus.ts'
import { primaryChannel } from './channel.ts'
import { ClusterBus } from './cluster.ts'
import { LocalBus } from './local.ts'
import { RedisBus } from './redis.ts'

/** Redis when there is an address; else the other workers of this machine, if this is one of several. */
export function openBus(options: { redisUrl: string | undefined; report?: (error: unknown) => void }): Bus {
  const report = options.report ?? ((error) => console.error(error))
  if (options.redisUrl !== undefined) return new RedisBus(options.redisUrl, report)
  return cluster.isWorker ? new ClusterBus(primaryChannel(), report) : new LocalBus(report)
}
