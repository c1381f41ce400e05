import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import type { Channel } from './channel.ts'
import { workerChannel } from './channel.ts'

/** The primary's part: hands every message to the other workers, and counts for all of them. */
export class Hub {
  readonly #channels = new Set<Channel>()
  readonly #count: (key: string) => number

  constructor(count: (key: string) => number) {
    this.#count = count
  }

  /** Answers how to detach. */
  attach(channel: Channel): () => void {
    this.#channels.add(channel)
    const stop = channel.listen((note) => {
      if (note.kind === 'bus') for (const other of this.#channels) if (other !== channel) other.send(note)
      if (note.kind === 'count') channel.send({ kind: 'counted', id: note.id, count: this.#count(note.key) })
    })
    return () => {
      this.#channels.delete(channel)
      stop()
    }
  }
}

/** Serves the workers that there are and those that come; `count` keeps the rate limits of all of them. */
export function serveWorkers(count: (key: string) => number): void {
  const hub = new Hub(count)
  const attach = (worker: Worker): void => {
    const detach = hub.attach(workerChannel(worker))
    worker.once('exit', detach)
  }
  for (const worker of Object.values(cluster.workers ?? {})) if (worker !== undefined) attach(worker)
  cluster.on('fork', attach)
}
