import type { Transport, LocalBus } from './bus.ts'
import type { Channel, Note, Published } from './channel.ts'

/** How long a change waits for the other processes. A slower one drops its caches. */
const HEARD_MS = 100
/** How long it waits for the supervising process, which has little to do but may get no processor time on a busy machine. */
const PRIMARY_MS = 1_000
/** From this many messages in a turn on, the others drop their caches instead of reading each: it is faster. */
const MAX_MESSAGES = 1_000
const CHECK_MS = 50

/** Connects the processes of a server through the one that supervises them. */
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
        if (note.tooMany === true) local.missed('machine')
        for (const [topic, message] of note.messages) local.publish(topic, message)
        void local.settled().then(() => channel.send({ kind: 'heard', id: note.id }))
      }
      if (note.kind === 'broadcast') local.publish(note.topic, note.message)
      if (note.kind === 'missed') local.missed('machine')
      if (note.kind === 'heard by all') this.#waiting.get(note.id)?.()
    })
    // Timers run before sockets are read: a process that was suspended drops its caches before it serves again.
    let lastMs = performance.now()
    this.#watch = setInterval(() => {
      const nowMs = performance.now()
      if (nowMs - lastMs > CHECK_MS + HEARD_MS) local.missed('machine')
      lastMs = nowMs
    }, CHECK_MS)
    this.#watch.unref()
  }

  /** Messages of one turn are sent together. */
  send(topic: string, message: string): Promise<boolean> {
    if (this.#unsent === undefined) {
      const messages: Published[] = []
      this.#unsent = { messages, received: this.#sendSoon(messages) }
    }
    if (this.#unsent.messages.length < MAX_MESSAGES) this.#unsent.messages.push([topic, message])
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
      const tooMany = messages.length >= MAX_MESSAGES
      this.#channel.send({ kind: 'bus', id, messages: tooMany ? [] : messages, tooMany })
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

/** Counts for the rate limits of all processes. */
type Count = (key: string, cost: number, windowMs: number) => number

/** The supervising process's side: forwards every message to the other processes, and counts for all of them. */
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
      if (note.kind === 'bus') this.#relay(channel, note)
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

  /** Forwards messages to the other processes, and notifies the sender when all have received them. Slow ones drop their caches. */
  #relay(sender: Channel, note: Extract<Note, { kind: 'bus' }>): void {
    const id = ++this.#relays
    const left = new Set([...this.#channels].filter((channel) => channel !== sender))
    const finish = (): void => {
      clearTimeout(timer)
      this.#relayed.delete(id)
      for (const late of left) late.send({ kind: 'missed' })
      sender.send({ kind: 'heard by all', id: note.id })
    }
    const timer = setTimeout(finish, HEARD_MS)
    const receivedBy = (channel: Channel): void => {
      if (left.delete(channel) && left.size === 0) finish()
    }
    this.#relayed.set(id, { receivedBy })
    for (const channel of left) channel.send({ ...note, id })
    if (left.size === 0) finish()
  }

  /** Collects the metrics of every process for the one that requested them; leaves out those that do not respond. */
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
