import cluster from 'node:cluster'
import { AggregatorRegistry, collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { type Channel, primaryChannel } from '../net/bus/channel.ts'

/** Metrics for Prometheus. */
export interface Figures {
  readonly contentType: string
  metrics(): Promise<string>
}

const ANSWER_MS = 2_000

/** The metrics of this process; of all workers together if there are several. */
export function metricsOfAllProcesses(registry: Registry): Figures {
  return cluster.isWorker ? new WorkerMetrics(registry, primaryChannel()) : registry
}

/** Every worker reports the sum over all workers, because the next scrape may reach another one. */
class WorkerMetrics implements Figures {
  readonly #registry: Registry
  readonly #channel: Channel
  readonly #waiting = new Map<number, (figures: readonly object[]) => void>()
  #asked = 0

  constructor(registry: Registry, channel: Channel) {
    this.#registry = registry
    this.#channel = channel
    channel.listen((note) => {
      if (note.kind === 'measured all') this.#waiting.get(note.id)?.(note.figures)
      if (note.kind === 'measure') void this.#respond(note.id).catch(() => {})
    })
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  async metrics(): Promise<string> {
    const figures = await this.#collect()
    return figures.length === 0
      ? this.#registry.metrics()
      : AggregatorRegistry.aggregate([...figures]).metrics()
  }

  /** A worker that does not respond within a second is left out of the sum. */
  async #respond(id: number): Promise<void> {
    this.#channel.send({ kind: 'measured', id, figures: await this.#registry.getMetricsAsJSON() })
  }

  #collect(): Promise<readonly object[]> {
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

/** The metrics of a node. */
export interface Metrics {
  readonly registry: Registry
  readonly observe: (operation: string, status: number, seconds: number) => void
  /** A gauge, read when metrics are requested. It costs nothing in between. */
  readonly watch: (name: string, help: string, read: () => number) => void
  /** Like `watch`, for a counter. */
  readonly count: (name: string, help: string, read: () => number) => void
  /** Several gauges under one name, with the label `kind`. */
  readonly watchKinds: (name: string, help: string, read: () => Record<string, number>) => void
  readonly countKinds: (name: string, help: string, read: () => Record<string, number>) => void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answered = new Counter({
    name: 'waymark_operations_total',
    help: 'Operations by name and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'waymark_operation_seconds',
    help: 'Duration of operations',
    labelNames: ['operation'],
    buckets: [0.001, 0.005, 0.025, 0.1, 0.5, 2, 10],
    registers: [registry],
  })
  return {
    registry,
    observe(operation, status, seconds) {
      answered.inc({ operation, status })
      duration.observe({ operation }, seconds)
    },
    watch(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
      void gauge
    },
    count(name, help, read) {
      const counter = new Counter({
        name,
        help,
        registers: [registry],
        collect() {
          this.reset()
          this.inc(read())
        },
      })
      void counter
    },
    watchKinds(name, help, read) {
      const gauge = new Gauge({
        name,
        help,
        labelNames: ['kind'],
        registers: [registry],
        collect() {
          for (const [kind, value] of Object.entries(read())) this.set({ kind }, value)
        },
      })
      void gauge
    },
    countKinds(name, help, read) {
      const counter = new Counter({
        name,
        help,
        labelNames: ['kind'],
        registers: [registry],
        collect() {
          this.reset()
          for (const [kind, value] of Object.entries(read())) this.inc({ kind }, value)
        },
      })
      void counter
    },
  }
}
