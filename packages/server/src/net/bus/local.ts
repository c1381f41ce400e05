import type { Bus, MissedFrom } from './bus.ts'

/** The listeners of this process; the other buses carry messages between several of these. */
export class LocalBus implements Bus {
  readonly #topics = new Map<string, Set<(message: string) => void>>()
  readonly #missed = new Set<(from: MissedFrom) => void>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  publish(topic: string, message: string): void {
    for (const listener of this.#topics.get(topic) ?? []) this.#tell(() => listener(message))
  }

  broadcast(topic: string, message: string): void {
    this.publish(topic, message)
  }

  settled(): Promise<void> {
    return Promise.resolve()
  }

  subscribe(topic: string, listener: (message: string) => void): () => void {
    const listeners = this.#topics.get(topic) ?? new Set()
    this.#topics.set(topic, listeners)
    // A wrapper of its own, so that the same function may listen twice and stop once.
    const hear = (message: string): void => listener(message)
    listeners.add(hear)
    return () => {
      listeners.delete(hear)
      // Topics can be as many as there are accounts.
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic)
    }
  }

  onMissed(listener: (from: MissedFrom) => void): void {
    this.#missed.add(listener)
  }

  missed(from: MissedFrom): void {
    for (const listener of this.#missed) this.#tell(() => listener(from))
  }

  close(): Promise<void> {
    this.#topics.clear()
    this.#missed.clear()
    return Promise.resolve()
  }

  /** One listener that fails must not keep the others from hearing it. */
  #tell(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#report(error)
    }
  }
}
