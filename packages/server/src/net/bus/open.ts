import cluster from 'node:cluster'
import type { Database } from '../../storage/db/database.ts'
import type { Bus } from './bus.ts'
import { CarriedBus } from './carried.ts'
import { primaryChannel } from './channel.ts'
import { ClusterCarrier } from './cluster.ts'
import { LocalBus } from './local.ts'
import { PostgresCarrier } from './postgres.ts'
import { RedisCarrier } from './redis.ts'

interface BusOptions {
  readonly redisUrl: string | undefined
  /** The way to other nodes without Redis, or while it is down. */
  readonly postgres?: Database['postgres']
  readonly report?: (error: unknown) => void
}

/** The other workers of this machine, if this is one of several; other nodes through Redis, else through PostgreSQL. */
export function openBus({ redisUrl, postgres, report = console.error }: BusOptions): Bus {
  const local = new LocalBus(report)
  const machine = cluster.isWorker ? new ClusterCarrier(primaryChannel(), local) : undefined
  const nodes = [
    ...(redisUrl === undefined ? [] : [new RedisCarrier(redisUrl, local, report)]),
    ...(postgres === undefined ? [] : [new PostgresCarrier(postgres, local)]),
  ]
  return machine === undefined && nodes.length === 0 ? local : new CarriedBus(local, { machine, nodes })
}
