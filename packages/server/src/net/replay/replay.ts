import type { Use } from './gathering.ts'

/** Remembers signatures that may be used once. */
export interface Replay {
  /**
   * Records the signature and answers whether this was its first use, whichever process asks. `expiresAtMs` must
   * follow from the signed timestamp alone: it is part of what makes two uses the same.
   */
  use(apiKey: string, signature: string, expiresAtMs: number): Promise<boolean>
  close(): Promise<void>
}

/** Where they are recorded. */
export interface ReplayStore {
  use(use: Use): Promise<boolean>
  close(): Promise<void>
}

export interface ReplayOptions {
  readonly now?: () => number
  readonly report?: (error: unknown) => void
}
