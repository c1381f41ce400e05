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
