import type { Carrier } from './bus.ts'
import type { Channel, Published } from './channel.ts'
import type { LocalBus } from './local.ts'

/** How long a change waits for the other workers. A worker that is later than that drops its caches. */
export const HEARD_MS = 100
/** How long it waits for the primary, which has little to do but may get no processor time on a busy machine. */
const PRIMARY_MS = 1_000
const CHECK_MS = 50

/** Workers of one machine, through their primary. */
export class ClusterCarrier implements Carrier {
  readonly #channel: Channel
  readonly #stop: () => void
  readonly #watch: NodeJS.Timeout
  readonly #waiting = new Map<number, () => void>()
  #unsent: { readonly messages: Published[]; readonly heard: Promise<boolean> } | undefined
  #sent = 0

  constructor(channel: Channel, local: LocalBus) {
    this.#channel = channel
    this.#stop = channel.listen((note) => {
      if (note.kind === 'bus') {
        for (const [topic, message] of note.messages) local.publish(topic, message)
        channel.send({ kind: 'heard', id: note.id })
      }
      if (note.kind === 'broadcast') local.publish(note.topic, note.message)
      if (note.kind === 'missed') local.missed('machine')
      if (note.kind === 'heard by all') this.#waiting.get(note.id)?.()
    })
    // Timers run before sockets are read: a worker that hung drops its caches before it serves again.
    let lastMs = performance.now()
    this.#watch = setInterval(() => {
      const nowMs = performance.now()
      if (nowMs - lastMs > CHECK_MS + HEARD_MS) local.missed('machine')
      lastMs = nowMs
    }, CHECK_MS)
    this.#watch.unref()
  }

  /** Messages of one moment go together: a thousand changed links would otherwise keep the primary busy. */
  send(topic: string, message: string): Promise<boolean> {
    if (this.#unsent === undefined) {
      const messages: Published[] = []
      this.#unsent = { messages, heard: this.#sendSoon(messages) }
    }
    this.#unsent.messages.push([topic, message])
    return this.#unsent.heard
  }

  #sendSoon(messages: readonly Published[]): Promise<boolean> {
    const id = ++this.#sent
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => this.#waiting.get(id)?.(), PRIMARY_MS)
    this.#waiting.set(id, () => {
      this.#waiting.delete(id)
      clearTimeout(timer)
      resolve(true)
    })
    queueMicrotask(() => {
      this.#unsent = undefined
      this.#channel.send({ kind: 'bus', id, messages })
    })
    return promise
  }

  broadcast(topic: string, message: string): Promise<boolean> {
    this.#channel.send({ kind: 'broadcast', topic, message })
    return Promise.resolve(true)
  }

  close(): Promise<void> {
    clearInterval(this.#watch)
    this.#stop()
    for (const settle of this.#waiting.values()) settle()
    return Promise.resolve()
  }
}
