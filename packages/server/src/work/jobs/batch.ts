import type { Database } from '../../storage/db/database.ts'

/** How large batches are. */
interface Pace {
  /** How long a batch is to take. */
  readonly aimMs: number
  /** When it is rolled back and tried again with fewer rows. */
  readonly limitMs: number
  /** Rows of the smallest batch; it has no limit. */
  readonly fewest: number
}

/**
 * On SQLite all other writes wait for a batch, for at most 50 ms: most of that is left for what comes between, such as a
 * full garbage collection (13 to 25 ms). On PostgreSQL only those of the same rows wait, but no longer than that either. A
 * batch of a few rows takes nearly as long as one of the fewest, because it has as many statements.
 */
const PACES: Record<Database['engine'], Pace> = {
  sqlite: { aimMs: 8, limitMs: 13, fewest: 20 },
  postgres: { aimMs: 12, limitMs: 30, fewest: 50 },
}

/**
 * SQLite works in this thread, so its processor time is measured: where the thread had to wait for a processor, fewer
 * rows would not have helped, and a batch that is repeated for it makes the others wait twice.
 */
const CLOCKS: Record<Database['engine'], () => number> = {
  sqlite: () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1_000
  },
  postgres: () => performance.now(),
}
const MOST = 500
const START = 25

interface Moment {
  readonly atMs: number
  /** By the clock of the pace. */
  readonly workedMs: number
}

/** A batch was rolled back because it kept other writes waiting. The next one is smaller. */
export class BatchTooLong extends Error {}

/** Throws `BatchTooLong` when the time of a batch is over; to be called between its statements. */
export type CheckTime = () => void

/** The batches of one job: each as many rows as take a few milliseconds here and now. */
export class Batch {
  readonly #db: Database
  readonly #pace: Pace
  readonly #clock: () => number
  readonly #held: (ms: number) => void
  /** How many rows the next batch has. */
  rows: number

  /** `held` is told how long each batch had its transaction open. */
  constructor(db: Database, held: (ms: number) => void, pace = PACES[db.engine], clock = CLOCKS[db.engine]) {
    this.#db = db
    this.#pace = pace
    this.#clock = clock
    this.#held = held
    this.rows = Math.max(pace.fewest, START)
  }

  /** Runs a batch in a transaction that other writes do not wait behind. */
  async write<T>(work: (checkTime: CheckTime) => Promise<T>): Promise<T> {
    const { limitMs, fewest } = this.#pace
    const isSmallest = this.rows <= fewest
    let begun: Moment | undefined
    let ended: Moment | undefined
    const timed = (): Promise<T> => {
      const begin = (begun = this.#now())
      return work(() => {
        if (!isSmallest && this.#clock() - begin.workedMs > limitMs) throw new BatchTooLong()
      })
    }
    try {
      return await this.#db.write(timed, 'background', () => (ended = this.#now()))
    } finally {
      // The time of the commit counts; on SQLite that of the flush does not, because no other write waits for it.
      ended ??= this.#now()
      if (begun !== undefined) {
        this.#adapt(ended.workedMs - begun.workedMs)
        this.#held(ended.atMs - begun.atMs)
      }
    }
  }

  #now(): Moment {
    return { atMs: performance.now(), workedMs: this.#clock() }
  }

  /** Grows slowly and shrinks at once. */
  #adapt(workedMs: number): void {
    const { aimMs, fewest } = this.#pace
    const fitting = this.rows * (aimMs / Math.max(workedMs, 0.1))
    this.rows = Math.trunc(Math.max(fewest, Math.min(MOST, fitting, this.rows * 1.5)))
  }
}
