import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** What a node counts, for Prometheus. */
export interface Metrics {
  readonly registry: Registry
  readonly observe: (operation: string, status: number, seconds: number) => void
  /** Reads a number when the metrics are requested. It costs nothing in between. */
  readonly watch: (name: string, help: string, read: () => number) => void
  /** The same for one that only grows. */
  readonly count: (name: string, help: string, read: () => number) => void
  /** Several numbers under one name, told apart by the label `kind`. */
  readonly watchKinds: (name: string, help: string, read: () => Record<string, number>) => void
  readonly countKinds: (name: string, help: string, read: () => Record<string, number>) => void
}

export function createMetrics(): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const answered = new Counter({
    name: 'waymark_operations_total',
    help: 'Answered operations by name and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  })
  const duration = new Histogram({
    name: 'waymark_operation_seconds',
    help: 'Time to answer an operation',
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
