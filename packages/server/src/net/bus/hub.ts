import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { Channel, Published } from './channel.ts'
import { workerChannel } from './channel.ts'
import { HEARD_MS } from './cluster.ts'

const MEASURE_MS = 1_000

/** Counts for the rate limits of all workers. */
type Count = (key: string, cost: number, windowMs: number) => number

/** The primary's part: hands every message to the other workers, and counts for all of them. */
export class Hub {
  readonly #channels = new Set<Channel>()
  readonly #count: Count
  readonly #relayed = new Map<number, { readonly heardBy: (channel: Channel) => void }>()
  #relays = 0
  #measured = 0

  constructor(count: Count) {
    this.#count = count
  }

  /** Returns how to detach. */
  attach(channel: Channel): () => void {
    this.#channels.add(channel)
    const stop = channel.listen((note) => {
      if (note.kind === 'bus') this.#relay(channel, note.id, note.messages)
      if (note.kind === 'broadcast')
        for (const other of this.#channels) if (other !== channel) other.send(note)
      if (note.kind === 'heard') this.#relayed.get(note.id)?.heardBy(channel)
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
      for (const { heardBy } of this.#relayed.values()) heardBy(channel)
    }
  }

  /** Hands messages to the other workers, and tells their sender when all have heard them. Late ones drop their caches. */
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
    const heardBy = (channel: Channel): void => {
      if (left.delete(channel) && left.size === 0) finish()
    }
    this.#relayed.set(id, { heardBy })
    for (const channel of left) channel.send({ kind: 'bus', id, messages })
    if (left.size === 0) finish()
  }

  /** Asks every worker for its figures and hands them to the one that wants them; one that is stuck is left out. */
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

/** Serves the workers that there are and those that come; `count` keeps the rate limits of all of them. */
export function serveWorkers(count: Count): void {
  const hub = new Hub(count)
  const attach = (worker: Worker): void => {
    const detach = hub.attach(workerChannel(worker))
    worker.once('exit', detach)
  }
  for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) attach(worker)
  cluster.on('fork', attach)
}
