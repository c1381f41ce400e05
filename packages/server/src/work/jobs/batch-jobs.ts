import { setTimeout as delay } from 'node:timers/promises'
import { admission } from '../../net/admission/lanes.ts'
import type { Database } from '../../storage/db/database.ts'
import { Background } from '../background.ts'
import { Lease } from './lease.ts'

const POLL_MS = 1_000
const LEASE_MS = 7_000
/** How long one job runs before the next has its turn. */
const SLICE_MS = 2_000
const CLOSE_MS = 5_000
const LONGEST_PAUSE_MS = 50

/** Whether a job has more to do; one that waits cannot go on at present. */
export type Outcome = 'more' | 'ended' | 'waits'

/** One batch of a job. A batch that is too long is rolled back, and the step is called again. */
export type Step = () => Promise<Outcome>

/**
 * Another process, an undo or the removal of the account was faster: what the batch did is rolled back, and the job goes
 * on as its row now says, if there is one.
 */
export class JobOvertaken extends Error {}

/** A job as its row says. */
interface JobRow {
  readonly workspace_uuid: string
}

/** A kind of long job that goes through many rows, batch by batch. */
export interface BatchJob<Row extends JobRow> {
  /** Of the lease. */
  readonly name: string
  /** Its lane in the admission gate. */
  readonly lane: 'imports' | 'bulkEdits'
  /** The job whose turn it is. */
  next(): Promise<Row | undefined>
  /** The step that is repeated during a turn. */
  prepare(row: Row, batch: Batch): Promise<Step>
  /** A turn failed: the others come first. */
  postpone(row: Row): Promise<unknown>
}

interface BatchJobsOptions {
  readonly db: Database
  /** Of this process alone. */
  readonly holder: string
  readonly report: (error: unknown) => void
}

/** Runs the long jobs of a kind in turns, in one process of all nodes. */
export class BatchJobs<Row extends JobRow> {
  readonly #job: BatchJob<Row>
  readonly #db: Database
  readonly #background: Background
  readonly #lease: Lease
  #isStarted = false
  #isWorking = false
  /** The longest that a batch had its transaction open, in milliseconds. */
  longestHoldMs = 0

  constructor(job: BatchJob<Row>, { db, holder, report }: BatchJobsOptions) {
    this.#job = job
    this.#db = db
    this.#background = new Background(report)
    const clock = (): number => performance.now()
    this.#lease = new Lease({ db, name: job.name, holder, lifeMs: LEASE_MS, clock })
  }

  start(): void {
    this.#isStarted = true
    this.#background.every(POLL_MS, () => this.#workAlone())
  }

  /** There is a new job: it need not wait for the next look. */
  wake(): void {
    if (this.#isStarted) this.#background.start(() => this.#workAlone())
  }

  close(): Promise<void> {
    return this.#background.close(CLOSE_MS)
  }

  /** Gives a job its turn. */
  async runSlice(row: Row): Promise<Outcome> {
    const { lane } = this.#job
    return admission.run(lane, () => this.#slice(row), { party: { account: row.workspace_uuid } })
  }

  async #slice(row: Row): Promise<Outcome> {
    const noteHold = (ms: number): void => void (this.longestHoldMs = Math.max(this.longestHoldMs, ms))
    const batch = new Batch(this.#db, noteHold)
    const step = await this.#job.prepare(row, batch)
    const untilMs = performance.now() + SLICE_MS
    do {
      const startedMs = performance.now()
      const outcome = await orMore(step)
      if (outcome !== 'more') return outcome
      // As long a pause as the step took: other work of this process has half of the time.
      await delay(Math.max(1, Math.min(performance.now() - startedMs, LONGEST_PAUSE_MS)))
    } while (performance.now() < untilMs && !this.#background.closing.aborted)
    return 'more'
  }

  async #workAlone(): Promise<void> {
    if (this.#isWorking) return
    this.#isWorking = true
    try {
      await this.#work()
    } finally {
      this.#isWorking = false
    }
  }

  /** Runs everything that is to be run while this process holds the lease. */
  async #work(): Promise<void> {
    const { closing } = this.#background
    for (;;) {
      const row = await this.#job.next()
      if (row === undefined || closing.aborted || !(await this.#lease.tick())) return
      try {
        if ((await this.runSlice(row)) !== 'waits') continue
      } catch (error) {
        // Tried again at the next look; the others have their turn first.
        await this.#db.write(() => this.#job.postpone(row))
        throw error
      }
      await this.#db.write(() => this.#job.postpone(row))
      return
    }
  }
}

const orMore = async (step: Step): Promise<Outcome> => {
  try {
    return await step()
  } catch (error) {
    if (error instanceof BatchTooLong) return 'more'
    if (error instanceof JobOvertaken) return 'ended'
    throw error
  }
}

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
