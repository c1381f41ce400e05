import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import { admission } from '../../net/admission/lanes.ts'
import { Background } from '../background.ts'
import { Batch, BatchTooLong } from './batch.ts'
import { Lease } from './lease.ts'

const POLL_MS = 1_000
const LEASE_MS = 7_000
/** How long one job runs before the next has its turn. */
const SLICE_MS = 2_000
const CLOSE_MS = 5_000
const LONGEST_PAUSE_MS = 50

/** Whether a job has more to do. */
export type Outcome = 'more' | 'ended'

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
  async runSlice(row: Row): Promise<void> {
    const { lane } = this.#job
    await admission.run(lane, () => this.#slice(row), { party: { account: row.workspace_uuid } })
  }

  async #slice(row: Row): Promise<void> {
    const noteHold = (ms: number): void => void (this.longestHoldMs = Math.max(this.longestHoldMs, ms))
    const batch = new Batch(this.#db, noteHold)
    const step = await this.#job.prepare(row, batch)
    const untilMs = performance.now() + SLICE_MS
    do {
      const startedMs = performance.now()
      if ((await orMore(step)) === 'ended') return
      // As long a pause as the step took: other work of this process has half of the time.
      await delay(Math.max(1, Math.min(performance.now() - startedMs, LONGEST_PAUSE_MS)))
    } while (performance.now() < untilMs && !this.#background.closing.aborted)
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
        await this.runSlice(row)
      } catch (error) {
        // Tried again at the next look; the others have their turn first.
        await this.#db.write(() => this.#job.postpone(row))
        throw error
      }
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
