import { setTimeout as delay } from 'node:timers/promises'
import type { OperationName } from '@waymark/contract'
import { sql } from 'kysely'
import { admission } from '../../net/admission/lanes.ts'
import type { Database } from '../../storage/db/database.ts'
import type { JobCaller } from '../../storage/db/tables.ts'
import { Background } from '../background.ts'
import { Lease } from './lease.ts'

const POLL_MS = 1_000
const LEASE_MS = 7_000
/** How long one job runs before the next gets its turn. */
const SLICE_MS = 2_000
const CLOSE_MS = 5_000
const LONGEST_PAUSE_MS = 50

/** Whether a job has more to do; `waits`: it cannot continue at present. */
export type Outcome = 'more' | 'ended' | 'waits'

/** One batch of a job. A batch that takes too long is rolled back, and the step is called again. */
export type Step = () => Promise<Outcome>

/**
 * Another process, an undo or the deletion of the account was faster: the batch is rolled back, and the job continues from
 * its current row, if there is one.
 */
export class JobOvertaken extends Error {}

/** Why a job ends whose creator may no longer run it. */
export const RIGHT_ENDED = 'The right that this ran under has ended'

/** Whether the creator of a job still has the right to run an operation. */
export type Permits = (row: JobCaller, operation: OperationName) => Promise<boolean>

/** A kind of long job that processes many rows in batches. */
export interface BatchJob<Row extends JobCaller> {
  /** The name of the lease. */
  readonly name: string
  /** Its lane in the admission gate. */
  readonly lane: 'imports' | 'bulkEdits'
  /** The operation whose role and scope its creator needs to the end. */
  readonly operation: OperationName
  /** Whether it is undone. An undo goes on without the right, because half of it would be neither state. */
  isUndo(row: Row): boolean
  /** Ends a job, with the reason that its owner sees. */
  fail(row: Row, error: string): Promise<unknown>
  /** The job whose turn it is. */
  next(): Promise<Row | undefined>
  /** Returns the step that is repeated during a turn. */
  prepare(row: Row, batch: Batch): Promise<Step>
  /** Called after a failed turn, so that the other jobs go first. */
  postpone(row: Row): Promise<unknown>
}

/** When any job of the same account had its last turn: ordered by it, accounts take turns, however many jobs they have. */
export const lastTurnOf = (table: 'imports' | 'bulk_edits') =>
  sql<number>`(
    select max(others.turn_at) from ${sql.table(table)} as others
    where others.workspace_uuid = ${sql.ref(`${table}.workspace_uuid`)} and others.state in ('running', 'undoing')
  )`

interface BatchJobsOptions {
  readonly db: Database
  /** Identifies this process. */
  readonly holder: string
  readonly permits: Permits
  readonly report: (error: unknown) => void
}

/** Runs the long jobs of one kind in turns, in one process of all nodes. */
export class BatchJobs<Row extends JobCaller> {
  readonly #job: BatchJob<Row>
  readonly #db: Database
  readonly #permits: Permits
  readonly #background: Background
  readonly #lease: Lease
  #isStarted = false
  #isWorking = false
  /** The longest time that a batch had its transaction open, in milliseconds. */
  longestHoldMs = 0

  constructor(job: BatchJob<Row>, { db, holder, permits, report }: BatchJobsOptions) {
    this.#job = job
    this.#db = db
    this.#permits = permits
    this.#background = new Background(report)
    const clock = (): number => performance.now()
    this.#lease = new Lease({ db, name: job.name, holder, lifeMs: LEASE_MS, clock })
  }

  start(): void {
    this.#isStarted = true
    this.#background.every(POLL_MS, () => this.#workAlone())
  }

  /** Starts a new job without waiting for the next poll. */
  wake(): void {
    if (this.#isStarted) this.#background.start(() => this.#workAlone())
  }

  close(): Promise<void> {
    return this.#background.close(CLOSE_MS)
  }

  /** Runs one turn of a job. */
  async runSlice(row: Row): Promise<Outcome> {
    const { lane } = this.#job
    return admission.run(lane, () => this.#slice(row), { requester: { account: row.workspace_uuid } })
  }

  async #slice(row: Row): Promise<Outcome> {
    if (!this.#job.isUndo(row) && !(await this.#permits(row, this.#job.operation))) {
      await this.#job.fail(row, RIGHT_ENDED)
      return 'ended'
    }
    const noteHold = (ms: number): void => void (this.longestHoldMs = Math.max(this.longestHoldMs, ms))
    const batch = new Batch(this.#db, noteHold)
    const step = await this.#job.prepare(row, batch)
    const untilMs = performance.now() + SLICE_MS
    do {
      const startedMs = performance.now()
      const outcome = await orMore(step)
      if (outcome !== 'more') return outcome
      // Pause as long as the step took: half of the time is left for other work of this process.
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

  /** Runs all due jobs while this process has the lease. */
  async #work(): Promise<void> {
    const { closing } = this.#background
    for (;;) {
      const row = await this.#job.next()
      if (row === undefined || closing.aborted || !(await this.#lease.tick())) return
      try {
        if ((await this.runSlice(row)) !== 'waits') continue
      } catch (error) {
        // Tried again at the next poll; the other jobs go first.
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

/** The size of batches. */
interface Pace {
  /** Target duration of a batch. */
  readonly aimMs: number
  /** Duration after which a batch is rolled back and retried with fewer rows. */
  readonly limitMs: number
  /** Rows of the smallest batch, which has no limit. */
  readonly fewest: number
}

/**
 * On SQLite all other writes wait for a batch, at most 50 ms. Most of that is left for interruptions such as a full garbage
 * collection (13 to 25 ms). On PostgreSQL only writes to the same rows wait, but should not wait longer either. A batch of a
 * few rows takes nearly as long as the smallest one, because it has as many statements.
 */
const PACES: Record<Database['engine'], Pace> = {
  sqlite: { aimMs: 8, limitMs: 13, fewest: 20 },
  postgres: { aimMs: 12, limitMs: 30, fewest: 50 },
}

/**
 * SQLite runs in this thread, so its processor time is measured: if the thread had to wait for a processor, fewer rows would
 * not have helped, and repeating the batch would make others wait twice.
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
  /** Processor or wall-clock time, depending on the engine. */
  readonly workedMs: number
}

/** A batch was rolled back because it blocked other writes. The next one is smaller. */
export class BatchTooLong extends Error {}

/** Throws `BatchTooLong` when the time of a batch is over. Call it between statements. */
export type CheckTime = () => void

/** The batches of one job, each with as many rows as take a few milliseconds. */
export class Batch {
  readonly #db: Database
  readonly #pace: Pace
  readonly #clock: () => number
  readonly #held: (ms: number) => void
  /** Number of rows of the next batch. */
  rows: number

  /** `held` receives how long each batch had its transaction open. */
  constructor(db: Database, held: (ms: number) => void, pace = PACES[db.engine], clock = CLOCKS[db.engine]) {
    this.#db = db
    this.#pace = pace
    this.#clock = clock
    this.#held = held
    this.rows = Math.max(pace.fewest, START)
  }

  /** Runs a batch in a background transaction. */
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
      // Includes the commit but, on SQLite, not the flush, which no other write waits for.
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

  /** Grows slowly and shrinks immediately. */
  #adapt(workedMs: number): void {
    const { aimMs, fewest } = this.#pace
    const fitting = this.rows * (aimMs / Math.max(workedMs, 0.1))
    this.rows = Math.trunc(Math.max(fewest, Math.min(MOST, fitting, this.rows * 1.5)))
  }
}
