import cluster from 'node:cluster'
import { primaryChannel } from './channel.ts'
import { ClusterBus } from './cluster.ts'
import { LocalBus } from './local.ts'
import { RedisBus } from './redis.ts'

/** Short messages to every process of the service; one may be lost, so nothing may depend on it alone. */
export interface Bus {
  /** Listeners of this process have heard it when this returns. Never fails, never waits. */
  publish(topic: string, message: string): void
  /** Answers how to stop listening. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** Tells when messages of other processes may have been missed: what was learnt from them is to be forgotten. */
  onMissed(listener: () => void): void
  close(): Promise<void>
}

/** Redis when there is an address; else the other workers of this machine, if this is one of several. */
export function openBus(options: { redisUrl: string | undefined; report?: (error: unknown) => void }): Bus {
  const report = options.report ?? ((error) => console.error(error))
  if (options.redisUrl !== undefined) return new RedisBus(options.redisUrl, report)
  return cluster.isWorker ? new ClusterBus(primaryChannel(), report) : new LocalBus(report)
}
