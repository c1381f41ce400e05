import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from './tables.ts'
import { nextTurn } from '../../work/turns.ts'

/** How long a query waits for a replica to catch up before it uses the primary. */
const CATCH_UP_MS = 100
const LOOK_AGAIN_MS = 5
/** How long a failed or invalid replica is not used. */
const PAUSE_MS = 5_000

const NOW = 'select pg_current_wal_lsn() as at'
const REACHED = 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as reached'

export interface ReplicaOptions {
  readonly primary: Pool
  readonly pool: Pool
  readonly handle: Kysely<Tables>
  readonly report: (error: unknown) => void
  readonly catchUpMs?: number
}

/**
 * A replica that follows the primary. It is used only when it has everything that the primary had when the query arrived,
 * so every caller reads its own writes, on any node.
 */
export class Replica {
  readonly #options: ReplicaOptions
  #pausedUntil = Number.NEGATIVE_INFINITY
  #asking: Promise<string | undefined> | undefined

  constructor(options: ReplicaOptions) {
    this.#options = options
  }

  /** The replica if it is current; undefined: use the primary. */
  async current(): Promise<Kysely<Tables> | undefined> {
    if (performance.now() < this.#pausedUntil) return undefined
    try {
      const at = await this.#position()
      return at !== undefined && (await this.#reaches(at)) ? this.#options.handle : undefined
    } catch (error) {
      this.pause(error)
      return undefined
    }
  }

  /** Uses the primary for a while after the replica was unavailable or failed. */
  pause(error: unknown): void {
    if (performance.now() >= this.#pausedUntil) this.#options.report(error)
    this.#pausedUntil = performance.now() + PAUSE_MS
  }

  async close(): Promise<void> {
    await this.#options.handle.destroy()
  }

  /** The primary's position, shared by all callers of this turn of the event loop, and never older than their call. */
  #position(): Promise<string | undefined> {
    this.#asking ??= nextTurn().then(() => {
      this.#asking = undefined
      return this.#ask()
    })
    return this.#asking
  }

  async #ask(): Promise<string | undefined> {
    const { rows } = await this.#options.primary.query<{ at: string }>(NOW)
    return rows[0]?.at
  }

  async #reaches(at: string): Promise<boolean> {
    const giveUpAt = performance.now() + (this.#options.catchUpMs ?? CATCH_UP_MS)
    for (;;) {
      const { rows } = await this.#options.pool.query<{ reached: boolean | null }>(REACHED, [at])
      const reached = rows[0]?.reached
      if (reached === null || reached === undefined)
        throw new Error('DATABASE_READ_URL is not a physical replica of DATABASE_URL: it is not used')
      if (reached || performance.now() > giveUpAt) return reached
      await delay(LOOK_AGAIN_MS)
    }
  }
}
