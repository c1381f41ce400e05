import { randomUUID } from 'node:crypto'
import type { Redis } from 'ioredis'
import type { Carrier } from './bus.ts'
import { fromText, toText } from './envelope.ts'
import type { LocalBus } from './local.ts'
import { connectRedis } from './redis-connection.ts'

const CHANNEL = 'waymark:bus'
const COMMAND_TIMEOUT_MS = 1_000

/** All nodes that use the same Redis. */
export class RedisCarrier implements Carrier {
  readonly #self = randomUUID()
  readonly #publisher: Redis
  readonly #subscriber: Redis

  constructor(url: string, local: LocalBus, report: (error: unknown) => void) {
    this.#publisher = connectRedis(url, COMMAND_TIMEOUT_MS, report)
    this.#subscriber = connectRedis(url, COMMAND_TIMEOUT_MS, () => undefined)
    // Messages before this moment were not heard, at the first connection as at every later one.
    this.#subscriber.on('ready', () => {
      this.#subscriber.subscribe(CHANNEL).then(
        () => local.missed('nodes'),
        () => this.#subscriber.disconnect(true),
      )
    })
    this.#subscriber.on('message', (_channel: string, text: string) => {
      const envelope = fromText(text)
      if (envelope.from !== this.#self) local.publish(envelope.topic, envelope.message)
    })
  }

  async send(topic: string, message: string): Promise<boolean> {
    if (this.#publisher.status !== 'ready') return false
    const text = toText({ from: this.#self, topic, message })
    return this.#publisher.publish(CHANNEL, text).then(
      () => true,
      () => false,
    )
  }

  broadcast(topic: string, message: string): Promise<boolean> {
    return this.send(topic, message)
  }

  close(): Promise<void> {
    this.#publisher.disconnect()
    this.#subscriber.disconnect()
    return Promise.resolve()
  }
}
