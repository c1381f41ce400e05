import cluster from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'
import { type Channel, primaryChannel } from '../../net/bus/channel.ts'

/** What Prometheus is given. */
export interface Figures {
  readonly contentType: string
  metrics(): Promise<string>
}

const ANSWER_MS = 2_000

/** The figures of this process; of all workers together, if it is one of several. */
export function metricsOfAllProcesses(registry: Registry): Figures {
  return cluster.isWorker ? new WorkerMetrics(registry, primaryChannel()) : registry
}

/** Every worker reports the sum over all workers, because the next scrape may reach another one. */
export class WorkerMetrics implements Figures {
  readonly #registry: Registry
  readonly #channel: Channel
  readonly #waiting = new Map<number, (figures: readonly object[]) => void>()
  #asked = 0

  constructor(registry: Registry, channel: Channel) {
    this.#registry = registry
    this.#channel = channel
    channel.listen((note) => {
      if (note.kind === 'measured all') this.#waiting.get(note.id)?.(note.figures)
      if (note.kind === 'measure') void this.#tell(note.id).catch(() => {})
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async metrics(): Promise<string> {
    const figures = await this.#gather()
    return figures.length === 0
      ? this.#registry.metrics()
      : AggregatorRegistry.aggregate([...figures]).metrics()
  }

  /** A worker that does not respond within a second is left out of the sum. */
  async #tell(id: number): Promise<void> {
    this.#channel.send({ kind: 'measured', id, figures: await this.#registry.getMetricsAsJSON() })
  }

  #gather(): Promise<readonly object[]> {
    const id = ++this.#asked
    return new Promise((resolve) => {
      const settle = (figures: readonly object[]): void => {
        clearTimeout(timer)
        this.#waiting.delete(id)
        resolve(figures)
      }
      const timer = setTimeout(() => settle([]), ANSWER_MS)
      this.#waiting.set(id, settle)
      this.#channel.send({ kind: 'measure all', id })
    })
  }
}
