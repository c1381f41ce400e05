/** Short messages to every process of the service; one may be lost, so nothing may depend on it alone. */
export interface Bus {
  /** Listeners of this process have heard it when this returns. Never fails, never waits. */
  publish(topic: string, message: string): void
  /** Returns how to stop listening. */
  subscribe(topic: string, listener: (message: string) => void): () => void
  /** Tells when messages of other processes may have been missed: what was learnt from them is to be forgotten. */
  onMissed(listener: () => void): void
  close(): Promise<void>
}
