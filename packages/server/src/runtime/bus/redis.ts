import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Bus } from './bus.ts'
import { LocalBus } from './local.ts'
import { connectRedis } from './redis-connection.ts'

const CHANNEL = 'waymark:bus'
const COMMAND_TIMEOUT_MS = 1_000

interface Envelope {
  readonly from: string
  readonly topic: string
  readonly message: string
}

/** All nodes that use the same Redis. */
export class RedisBus implements Bus {
  readonly #local: LocalBus
  readonly #self = randomUUID()
  readonly #publisher: Redis
  readonly #subscriber: Redis

  constructor(url: string, report: (error: unknown) => void) {
    this.#local = new LocalBus(report)
    this.#publisher = connectRedis(url, COMMAND_TIMEOUT_MS, report)
    this.#subscriber = connectRedis(url, COMMAND_TIMEOUT_MS, () => undefined)
    // Whatever was said before this moment went unheard, at the first connection as at every later one.
    this.#subscriber.on('ready', () => {
      this.#subscriber.subscribe(CHANNEL).then(
        () => this.#local.missed(),
        () => this.#subscriber.disconnect(true),
      )
    })
    this.#subscriber.on('message', (_channel: string, text: string) => this.#hear(text))
  }

  publish(topic: string, message: string): void {
    this.#local.publish(topic, message)
    const envelope: Envelope = { from: this.#self, topic, message }
    // Without Redis the message is lost, as the interface says it may be.
    if (this.#publisher.status !== 'ready') return
    this.#publisher.publish(CHANNEL, JSON.stringify(envelope)).catch(() => undefined)
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    return this.#local.subscribe(topic, listener)
  }

  onMissed(listener: () => void): void {
    this.#local.onMissed(listener)
  }

  close(): Promise<void> {
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
    return this.#local.close()
  }

  #hear(text: string): void {
    const envelope = JSON.parse(text) as Envelope
    if (envelope.from !== this.#self) this.#local.publish(envelope.topic, envelope.message)
  }
}
