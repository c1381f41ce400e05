import { randomUUID } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Redis, RedisOptions } from 'ioredis'
import { type Transport, fromText, type LocalBus, toText } from './bus.ts'

const CHANNEL = 'waymark:bus'
const COMMAND_TIMEOUT_MS = 1_000

/** Connects all nodes that use the same Redis. */
export class RedisTransport implements Transport {
  readonly #self = randomUUID()
  readonly #publisher: Redis
  readonly #subscriber: Redis

  constructor(url: string, local: LocalBus, report: (error: unknown) => void) {
    this.#publisher = connectRedis(url, COMMAND_TIMEOUT_MS, report)
    this.#subscriber = connectRedis(url, COMMAND_TIMEOUT_MS, () => undefined)
    // Messages before this moment were missed, on the first connection as well as on later ones.
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

interface Library {
  readonly Redis: new (url: string, options: RedisOptions) => Redis
}

const RETRY_MS = 250
const RETRY_MAX_MS = 1_000
const HEARTBEAT_MS = 2_000

/**
 * A connection that reconnects by itself and never blocks a caller: without a server commands fail immediately, because
 * nothing is queued, and a server that does not respond counts as disconnected.
 */
export function connectRedis(url: string, commandTimeoutMs: number, report: (error: unknown) => void): Redis {
  // Loaded only when needed, to save memory.
  const library = createRequire(import.meta.url)('ioredis') as Library
  const redis = new library.Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 2_000,
    commandTimeout: commandTimeoutMs,
    keepAlive: 5_000,
    // A server that hangs does not close connections either.
    disconnectTimeout: 1,
    // Retry soon while a server is loading its data, instead of after the second (or more) that it estimates.
    maxLoadingRetryTime: RETRY_MS,
    retryStrategy: (times) => Math.min(RETRY_MS * times, RETRY_MAX_MS),
    // A primary that became a replica returns READONLY: only a new connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  reportOncePerOutage(redis, report)
  closeDeadConnections(redis)
  return redis
}

function reportOncePerOutage(redis: Redis, report: (error: unknown) => void): void {
  let reported = false
  redis.on('ready', () => {
    reported = false
  })
  redis.on('error', (error: unknown) => {
    if (!reported) report(error)
    reported = true
  })
}

/** A network that drops packets closes nothing: only a request without a response reveals it. */
function closeDeadConnections(redis: Redis): void {
  const timer = setInterval(() => {
    if (redis.status === 'ready') redis.ping().catch(() => redis.disconnect(true))
  }, HEARTBEAT_MS)
  timer.unref()
  redis.once('end', () => clearInterval(timer))
}
