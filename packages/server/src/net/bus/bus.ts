/** The source of missed messages. Workers of this machine wait for each other's caches; nodes do not. */
export type MissedFrom = 'machine' | 'nodes'

/** Short messages to every process of the service. One can be lost, so nothing may depend on it alone. */
export interface Bus {
  /** Notifies listeners of this process before it returns, and sends the message to the others. Never fails or waits. */
  publish(topic: string, message: string): void
  /** Resolves when the other processes of this machine have received what was published; one that hangs gets 100 ms. */
  settled(): Promise<void>
  /** Like `publish`, for messages that may be lost: nothing waits for them, and changes are sent first. */
  broadcast(topic: string, message: string): void
  /** Returns a function that unsubscribes. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** Called when messages of other processes may have been missed: caches that depend on them must be cleared. */
  onMissed(listener: (from: MissedFrom) => void): void
  close(): Promise<void>
}

/** A connection to other processes. It passes received messages to the listeners of this process. */
export interface Transport {
  /** Resolves when the message has arrived, as far as this connection can tell; false if it could not be sent. */
  send(topic: string, message: string): Promise<boolean>
  /** Like `send`, for messages that may be lost; false if it was. */
  broadcast(topic: string, message: string): Promise<boolean>
  close(): Promise<void>
}

/** The listeners of this process. Other buses deliver messages between several of these. */
export class LocalBus implements Bus {
  readonly #topics = new Map<string, Set<(message: string) => void>>()
  readonly #missed = new Set<(from: MissedFrom) => void>()
  readonly #report: (error: unknown) => void

  constructor(report: (error: unknown) => void) {
    this.#report = report
  }

  publish(topic: string, message: string): void {
    for (const listener of this.#topics.get(topic) ?? []) this.#notify(() => listener(message))
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
    // A separate wrapper, so that the same function can subscribe twice and unsubscribe once.
    const wrapper = (message: string): void => listener(message)
    listeners.add(wrapper)
    return () => {
      listeners.delete(wrapper)
      // There can be as many topics as accounts.
      if (listeners.size === 0 && this.#topics.get(topic) === listeners) this.#topics.delete(topic)
    }
  }

  onMissed(listener: (from: MissedFrom) => void): void {
    this.#missed.add(listener)
  }

  missed(from: MissedFrom): void {
    for (const listener of this.#missed) this.#notify(() => listener(from))
  }

  close(): Promise<void> {
    this.#topics.clear()
    this.#missed.clear()
    return Promise.resolve()
  }

  /** A failing listener must not keep others from receiving the message. */
  #notify(listener: () => void): void {
    try {
      listener()
    } catch (error) {
      this.#report(error)
    }
  }
}

/** A message between nodes. */
interface Envelope {
  /** The process that sent it, which ignores it. */
  readonly from: string
  readonly topic: string
  readonly message: string
}

export const toText = (envelope: Envelope): string => JSON.stringify(envelope)

export const fromText = (text: string): Envelope => JSON.parse(text) as Envelope
