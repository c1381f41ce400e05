import type { Bus } from './bus.ts'
import type { Channel } from './channel.ts'
import { LocalBus } from './local.ts'

/** Workers of one machine, through their primary. */
export class ClusterBus implements Bus {
  readonly #local: LocalBus
  readonly #channel: Channel
  readonly #stop: () => void

  constructor(channel: Channel, report: (error: unknown) => void) {
    this.#local = new LocalBus(report)
    this.#channel = channel
    this.#stop = channel.listen((note) => {
      if (note.kind === 'bus') this.#local.publish(note.topic, note.message)
    })
  }

  publish(topic: string, message: string): void {
    this.#local.publish(topic, message)
    this.#channel.send({ kind: 'bus', topic, message })
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    return this.#local.subscribe(topic, listener)
  }

  /** The pipe to the primary ends only with the process: nothing is missed. */
  onMissed(listener: () => void): void {
    this.#local.onMissed(listener)
  }

  close(): Promise<void> {
    this.#stop()
    return this.#local.close()
  }
}
