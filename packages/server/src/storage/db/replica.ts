import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type { Pool } from 'pg'
import type { Tables } from './tables.ts'
import { nextTurn } from '../../work/turns.ts'

/** A query waits at most this long for a replica to catch up, then it goes to the primary. */
const CATCH_UP_MS = 100
const LOOK_AGAIN_MS = 5
/** A replica that failed, or is no replica, is left alone for this long. */
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
 * A copy of the database that follows the primary. It is read only when it has everything that the primary had
 * when the question came, so that every caller reads its own writes, on any node.
 */
export class Replica {
  readonly #options: ReplicaOptions
  #pausedUntil = Number.NEGATIVE_INFINITY
  #asking: Promise<string | undefined> | undefined

  constructor(options: ReplicaOptions) {
    this.#options = options
  }

  /** Where to read what is there now; undefined: the primary. */
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

  /** It is unavailable or failed: the primary is used for a while. */
  pause(error: unknown): void {
    if (performance.now() >= this.#pausedUntil) this.#options.report(error)
    this.#pausedUntil = performance.now() + PAUSE_MS
  }

  async close(): Promise<void> {
    await this.#options.handle.destroy()
  }

  /** Asked once for all who want it in this turn of the event loop, and never before they wanted it. */
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
