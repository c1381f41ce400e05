import { UnavailableError } from '../../storage/db/unavailable.ts'
import { nextTurn } from '../../work/turns.ts'

/** Replay protection: each signature is accepted once. */
export interface Replay {
  /**
   * Stores the signature and returns whether this was its first use in any process. `expiresAtMs` must be derived from the
   * signed timestamp alone, because it is part of the key.
   */
  use(apiKey: string, signature: string, expiresAtMs: number): Promise<boolean>
  close(): Promise<void>
}

/** Where signatures are stored. */
export interface ReplayStore {
  use(use: Use): Promise<boolean>
  close(): Promise<void>
}

export interface ReplayOptions {
  readonly now?: () => number
  readonly report?: (error: unknown) => void
}

export interface Use {
  /** A keyed hash of the API key and the signature. */
  readonly hash: string
  readonly expiresAtMs: number
}

interface Waiting {
  readonly use: Use
  readonly resolve: (first: boolean) => void
  readonly reject: (error: unknown) => void
}

const BATCH = 500

/** Batches the uses of one turn of the event loop; uses that arrive meanwhile form the next batch. */
export class Batcher {
  readonly #record: (uses: readonly Use[]) => Promise<boolean[]>
  #waiting: Waiting[] = []
  #running: Promise<void> | undefined
  #closed = false

  constructor(record: (uses: readonly Use[]) => Promise<boolean[]>) {
    this.#record = record
  }

  use(use: Use): Promise<boolean> {
    if (this.#closed) return Promise.reject(new UnavailableError('Closed'))
    return new Promise((resolve, reject) => {
      this.#waiting.push({ use, resolve, reject })
      this.#running ??= nextTurn().then(() => this.#run())
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#running
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH)
      try {
        const firsts = await this.#record(batch.map(({ use }) => use))
        for (const [at, { resolve }] of batch.entries()) resolve(firsts[at] === true)
      } catch (error) {
        for (const { reject } of batch) reject(error)
      }
    }
    this.#running = undefined
  }
}
