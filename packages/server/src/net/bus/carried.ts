import type { Bus, Carrier, MissedFrom } from './bus.ts'
import type { LocalBus } from './local.ts'

interface Carriers {
  /** The other processes of this machine; a change waits for them. */
  readonly machine: Carrier | undefined
  /** Other nodes: the first way that can send is taken. */
  readonly nodes: readonly Carrier[]
}

/** The listeners of this process, and the ways to all others. */
export class CarriedBus implements Bus {
  readonly #local: LocalBus
  readonly #carriers: Carriers
  #unsettled: Promise<unknown> = Promise.resolve()

  constructor(local: LocalBus, carriers: Carriers) {
    this.#local = local
    this.#carriers = carriers
  }

  publish(topic: string, message: string): void {
    this.#local.publish(topic, message)
    const { machine } = this.#carriers
    if (machine !== undefined) this.#unsettled = Promise.all([this.#unsettled, machine.send(topic, message)])
    void firstThatSends(this.#carriers.nodes, (carrier) => carrier.send(topic, message))
  }

  broadcast(topic: string, message: string): void {
    this.#local.broadcast(topic, message)
    const { machine, nodes } = this.#carriers
    void machine?.broadcast(topic, message)
    void firstThatSends(nodes, (carrier) => carrier.broadcast(topic, message))
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
    const { machine, nodes } = this.#carriers
    await Promise.all(
      [...nodes, ...(machine === undefined ? [] : [machine])].map((carrier) => carrier.close()),
    )
    await this.#local.close()
  }
}

async function firstThatSends(
  carriers: readonly Carrier[],
  send: (carrier: Carrier) => Promise<boolean>,
): Promise<void> {
  for (const carrier of carriers) if (await send(carrier)) return
}
