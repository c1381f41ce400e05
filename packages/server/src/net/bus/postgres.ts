import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client, ClientConfig, Pool } from 'pg'
import { type Transport, fromText, type LocalBus, toText } from './bus.ts'

const CHANNEL = 'waymark_bus'
const RECONNECT_MS = 500
/** Messages that wait while the database does not respond; further ones are lost. */
const MAX_WAITING = 1_000
/** With this many waiting, broadcasts are dropped. */
const MAX_WAITING_BROADCASTS = 100

/** Connects all nodes that use the same PostgreSQL, with LISTEN and NOTIFY: without Redis, or while it is down. */
export class PostgresTransport implements Transport {
  readonly #self = randomUUID()
  readonly #pool: Pool
  readonly #config: ClientConfig
  readonly #local: LocalBus
  readonly #ending = new AbortController()
  readonly #listening: Promise<void>
  readonly #waiting: string[] = []
  #sending = Promise.resolve(true)
  #client: Client | undefined

  constructor({ pool, clientConfig }: { pool: Pool; clientConfig: ClientConfig }, local: LocalBus) {
    this.#pool = pool
    this.#config = clientConfig
    this.#local = local
    this.#listening = this.#listen()
  }

  /** One statement at a time, which keeps messages in order; messages that wait meanwhile are sent together. */
  send(topic: string, message: string): Promise<boolean> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.resolve(false)
    this.#waiting.push(toText({ from: this.#self, topic, message }))
    this.#sending = this.#sending.then(() => this.#flush())
    return this.#sending
  }

  broadcast(topic: string, message: string): Promise<boolean> {
    return this.#waiting.length < MAX_WAITING_BROADCASTS ? this.send(topic, message) : Promise.resolve(false)
  }

  async #flush(): Promise<boolean> {
    const texts = this.#waiting.splice(0)
    if (texts.length === 0) return true
    return this.#pool.query('select pg_notify($1, text) from unnest($2::text[]) text', [CHANNEL, texts]).then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    this.#ending.abort()
    await this.#sending
    await this.#client?.end().catch(() => undefined)
    await this.#listening
  }

  /** Replaces a lost connection; messages sent meanwhile were missed. */
  async #listen(): Promise<void> {
    const { signal } = this.#ending
    while (!signal.aborted) {
      await this.#session().catch(() => undefined)
      await delay(RECONNECT_MS, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }

  /** Listens until the connection ends. */
  async #session(): Promise<void> {
    const { Client: PostgresClient } = await import('pg')
    if (this.#ending.signal.aborted) return
    const client = new PostgresClient(this.#config)
    this.#client = client
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    client.once('end', resolve)
    client.on('error', () => resolve())
    client.on('notification', ({ payload = '' }) => {
      const envelope = fromText(payload)
      if (envelope.from !== this.#self) this.#local.publish(envelope.topic, envelope.message)
    })
    try {
      await client.connect()
      await client.query(`listen ${CHANNEL}`)
      this.#local.missed('nodes')
      await ended
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}
