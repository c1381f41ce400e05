import cluster from 'node:cluster'
import type { Database } from '../../storage/db/database.ts'
import { type Bus, type Transport, LocalBus, type MissedFrom } from './bus.ts'
import { primaryChannel } from './channel.ts'
import { ClusterTransport } from './cluster.ts'
import { PostgresTransport } from './postgres.ts'
import { RedisTransport } from './redis.ts'

interface BusOptions {
  readonly redisUrl: string | undefined
  /** Used to reach other nodes without Redis, or while it is down. */
  readonly postgres?: Database['postgres']
  readonly report?: (error: unknown) => void
}

/** Connects the workers of this machine, if there are several, and other nodes through Redis, else through PostgreSQL. */
export function openBus({ redisUrl, postgres, report = console.error }: BusOptions): Bus {
  const local = new LocalBus(report)
  const machine = cluster.isWorker ? new ClusterTransport(primaryChannel(), local) : undefined
  const nodes = [
    ...(redisUrl === undefined ? [] : [new RedisTransport(redisUrl, local, report)]),
    ...(postgres === undefined ? [] : [new PostgresTransport(postgres, local)]),
  ]
  return machine === undefined && nodes.length === 0 ? local : new CombinedBus(local, { machine, nodes })
}

interface Transports {
  /** The other processes of this machine; a change waits for them. */
  readonly machine: Transport | undefined
  /** Other nodes: the first connection that can send is used. */
  readonly nodes: readonly Transport[]
}

/** The listeners of this process, and the connections to all others. */
export class CombinedBus implements Bus {
  readonly #local: LocalBus
  readonly #transports: Transports
  #unsettled: Promise<unknown> = Promise.resolve()

  constructor(local: LocalBus, transports: Transports) {
    this.#local = local
    this.#transports = transports
  }

  publish(topic: string, message: string): void {
    this.#local.publish(topic, message)
    const { machine } = this.#transports
    if (machine !== undefined) this.#unsettled = Promise.all([this.#unsettled, machine.send(topic, message)])
    void firstThatSends(this.#transports.nodes, (transport) => transport.send(topic, message))
  }

  broadcast(topic: string, message: string): void {
    this.#local.broadcast(topic, message)
    const { machine, nodes } = this.#transports
    void machine?.broadcast(topic, message)
    void firstThatSends(nodes, (transport) => transport.broadcast(topic, message))
  }

  async settled(): Promise<void> {
    await this.#unsettled
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    return this.#local.subscribe(topic, listener)
  }

  onMissed(listener: (from: MissedFrom) => void): void {
    this.#local.onMissed(listener)
  }

  async close(): Promise<void> {
    const { machine, nodes } = this.#transports
    await Promise.all(
      [...nodes, ...(machine === undefined ? [] : [machine])].map((transport) => transport.close()),
    )
    await this.#local.close()
  }
}

async function firstThatSends(
  transports: readonly Transport[],
  send: (transport: Transport) => Promise<boolean>,
): Promise<void> {
  for (const transport of transports) if (await send(transport)) return
}
