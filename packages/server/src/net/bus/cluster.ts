import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { Transport, LocalBus } from './bus.ts'
import { type Channel, type Published, workerChannel } from './channel.ts'

/** How long a change waits for the other workers. A slower worker drops its caches. */
const HEARD_MS = 100
/** How long it waits for the primary, which has little to do but may get no processor time on a busy machine. */
const PRIMARY_MS = 1_000
const CHECK_MS = 50

/** Connects workers of one machine through their primary. */
export class ClusterTransport implements Transport {
  readonly #channel: Channel
  readonly #stop: () => void
  readonly #watch: NodeJS.Timeout
  readonly #waiting = new Map<number, () => void>()
  #unsent: { readonly messages: Published[]; readonly received: Promise<boolean> } | undefined
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
    // Timers run before sockets are read: a worker that was suspended drops its caches before it serves again.
    let lastMs = performance.now()
    this.#watch = setInterval(() => {
      const nowMs = performance.now()
      if (nowMs - lastMs > CHECK_MS + HEARD_MS) local.missed('machine')
      lastMs = nowMs
    }, CHECK_MS)
    this.#watch.unref()
  }

  /** Messages of one turn are sent together: a thousand changed links would otherwise keep the primary busy. */
  send(topic: string, message: string): Promise<boolean> {
    if (this.#unsent === undefined) {
      const messages: Published[] = []
      this.#unsent = { messages, received: this.#sendSoon(messages) }
    }
    this.#unsent.messages.push([topic, message])
    return this.#unsent.received
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

const MEASURE_MS = 1_000

/** Counts for the rate limits of all workers. */
type Count = (key: string, cost: number, windowMs: number) => number

/** The primary's side: forwards every message to the other workers, and counts for all of them. */
export class Broker {
  readonly #channels = new Set<Channel>()
  readonly #count: Count
  readonly #relayed = new Map<number, { readonly receivedBy: (channel: Channel) => void }>()
  #relays = 0
  #measured = 0

  constructor(count: Count) {
    this.#count = count
  }

  /** Returns a function that detaches it. */
  attach(channel: Channel): () => void {
    this.#channels.add(channel)
    const stop = channel.listen((note) => {
      if (note.kind === 'bus') this.#relay(channel, note.id, note.messages)
      if (note.kind === 'broadcast')
        for (const other of this.#channels) if (other !== channel) other.send(note)
      if (note.kind === 'heard') this.#relayed.get(note.id)?.receivedBy(channel)
      if (note.kind === 'count')
        channel.send({
          kind: 'counted',
          id: note.id,
          count: this.#count(note.key, note.cost, note.windowMs),
        })
      if (note.kind === 'measure all') this.#measure(channel, note.id)
    })
    return () => {
      this.#channels.delete(channel)
      stop()
      for (const { receivedBy } of this.#relayed.values()) receivedBy(channel)
    }
  }

  /** Forwards messages to the other workers, and notifies the sender when all have received them. Slow ones drop their caches. */
  #relay(sender: Channel, sendersId: number, messages: readonly Published[]): void {
    const id = ++this.#relays
    const left = new Set([...this.#channels].filter((channel) => channel !== sender))
    const finish = (): void => {
      clearTimeout(timer)
      this.#relayed.delete(id)
      for (const late of left) late.send({ kind: 'missed' })
      sender.send({ kind: 'heard by all', id: sendersId })
    }
    const timer = setTimeout(finish, HEARD_MS)
    const receivedBy = (channel: Channel): void => {
      if (left.delete(channel) && left.size === 0) finish()
    }
    this.#relayed.set(id, { receivedBy })
    for (const channel of left) channel.send({ kind: 'bus', id, messages })
    if (left.size === 0) finish()
  }

  /** Collects the metrics of every worker for the one that requested them; leaves out workers that do not respond. */
  #measure(asker: Channel, askersId: number): void {
    const id = ++this.#measured
    const figures: object[] = []
    const stops: (() => void)[] = []
    const finish = (): void => {
      clearTimeout(timer)
      for (const stop of stops) stop()
      asker.send({ kind: 'measured all', id: askersId, figures })
    }
    const timer = setTimeout(finish, MEASURE_MS)
    for (const channel of this.#channels) {
      const stop = channel.listen((note) => {
        if (note.kind !== 'measured' || note.id !== id) return
        figures.push(note.figures)
        if (figures.length === stops.length) finish()
      })
      stops.push(stop)
      channel.send({ kind: 'measure', id })
    }
  }
}

/** Serves all current and future workers; `count` holds the rate limits of all of them. */
export function serveWorkers(count: Count): void {
  const broker = new Broker(count)
  const attach = (worker: Worker): void => {
    const detach = broker.attach(workerChannel(worker))
    worker.once('exit', detach)
  }
  for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) attach(worker)
  cluster.on('fork', attach)
}
