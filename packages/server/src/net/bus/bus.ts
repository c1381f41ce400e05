/** Whose messages may have been missed. Workers of this machine wait for each other's caches; nodes do not. */
export type MissedFrom = 'machine' | 'nodes'

/** Short messages to every process of the service; one may be lost, so nothing may depend on it alone. */
export interface Bus {
  /** Listeners of this process have heard it when this returns. Never fails, never waits. */
  publish(topic: string, message: string): void
  /** Resolves when the other processes of this machine have heard what was published; one that hangs gets 100 ms. */
  settled(): Promise<void>
  /** As `publish`, for what may be lost: nothing waits for it, no cache is dropped for it, changes go first. */
  broadcast(topic: string, message: string): void
  /** Returns how to stop listening. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** Tells when messages of other processes may have been missed: what was learnt from them is to be forgotten. */
  onMissed(listener: (from: MissedFrom) => void): void
  close(): Promise<void>
}

/** A way to other processes. What it hears it gives to the listeners of this process. */
export interface Carrier {
  /** Resolves when the message has arrived as surely as this way can tell; false when it could not be sent. */
  send(topic: string, message: string): Promise<boolean>
  /** As `send`, for what may be lost; false when it is. */
  broadcast(topic: string, message: string): Promise<boolean>
  close(): Promise<void>
}

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

/** A message on its way between nodes. */
interface Envelope {
  /** The process that sent it, which has heard it already. */
  readonly from: string
  readonly topic: string
  readonly message: string
}

export const toText = (envelope: Envelope): string => JSON.stringify(envelope)

export const fromText = (text: string): Envelope => JSON.parse(text) as Envelope
