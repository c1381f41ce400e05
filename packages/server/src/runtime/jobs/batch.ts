import type { Database } from '../../storage/db/database.ts'

/**
 * How long a batch is to take, and when it is rolled back and tried again with fewer rows. On SQLite all other writes
 * wait for it, for at most 50 ms; on PostgreSQL only those of the same account that change its totals.
 */
const TIMES = {
  sqlite: { aimMs: 12, limitMs: 30 },
  postgres: { aimMs: 30, limitMs: 200 },
} as const
const MOST = 250
const START = 25

/** A batch was rolled back because it kept other writes waiting. The next one is smaller. */
export class BatchTooLong extends Error {}

/** Throws `BatchTooLong` when the time of a batch is over; to be called between its rows. */
export type CheckTime = () => void

/** The batches of one job: each as many rows as take a few milliseconds here and now. */
export class Batch {
  readonly #db: Database
  readonly #fewest: number
  readonly #times: (typeof TIMES)[keyof typeof TIMES]
  readonly #held: (ms: number) => void
  /** How many rows the next batch has. */
  rows: number

  /** `held` is told how long each batch had its transaction open. */
  constructor(db: Database, fewest: number, held: (ms: number) => void) {
    this.#db = db
    this.#fewest = fewest
    this.#times = TIMES[db.engine]
    this.#held = held
    this.rows = Math.max(fewest, START)
  }

  /** Runs a batch in a transaction. The smallest batch has no limit: it could not be made any shorter. */
  async write<T>(work: (checkTime: CheckTime) => Promise<T>): Promise<T> {
    const isSmallest = this.rows <= this.#fewest
    let startedMs = performance.now()
    const checkTime = (): void => {
      if (!isSmallest && performance.now() - startedMs > this.#times.limitMs) throw new BatchTooLong()
    }
    const timed = async (): Promise<T> => {
      startedMs = performance.now()
      try {
        return await work(checkTime)
      } finally {
        this.#adapt(performance.now() - startedMs)
      }
    }
    try {
      return await this.#db.write(timed)
    } finally {
      this.#held(performance.now() - startedMs)
    }
  }

  /** Grows slowly and shrinks at once. */
  #adapt(workedMs: number): void {
    const fitting = this.rows * (this.#times.aimMs / Math.max(workedMs, 0.1))
    this.rows = Math.trunc(Math.max(this.#fewest, Math.min(MOST, fitting, this.rows * 1.5)))
  }
}
