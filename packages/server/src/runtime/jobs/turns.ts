import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import { Background } from '../background.ts'
import { Lease } from './lease.ts'

const POLL_MS = 1_000
const LEASE_MS = 7_000
/** How long one job runs before the next has its turn. */
const SLICE_MS = 2_000
const CLOSE_MS = 5_000
const LONGEST_PAUSE_MS = 50

/** Whether a job has more to do. */
export type Outcome = 'more' | 'ended'

interface TurnsOptions<Row> {
  readonly db: Database
  /** Of the lease. */
  readonly name: string
  readonly holder: string
  readonly report: (error: unknown) => void
  /** The job whose turn it is. */
  readonly next: () => Promise<Row | undefined>
  /** Gives a job its turn. */
  readonly run: (row: Row) => Promise<void>
  /** A turn failed: the others come first. */
  readonly postpone: (row: Row) => Promise<unknown>
}

/** Runs long jobs of a kind in turns, in one process of all nodes. */
export class Turns<Row> {
  readonly #options: TurnsOptions<Row>
  readonly #background: Background
  readonly #lease: Lease
  #isStarted = false
  #isWorking = false

  constructor(options: TurnsOptions<Row>) {
    const { db, name, holder, report } = options
    this.#options = options
    this.#background = new Background(report)
    this.#lease = new Lease({ db, name, holder, lifeMs: LEASE_MS, clock: () => performance.now() })
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

  /** Repeats a step for the time of one turn. */
  async repeat(step: () => Promise<Outcome>): Promise<void> {
    const untilMs = performance.now() + SLICE_MS
    do {
      const startedMs = performance.now()
      if ((await step()) === 'ended') return
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
    const { db, next, run, postpone } = this.#options
    for (;;) {
      const row = await next()
      if (row === undefined || this.#background.closing.aborted || !(await this.#lease.tick())) return
      try {
        await run(row)
      } catch (error) {
        // Tried again at the next look; the others have their turn first.
        await db.write(() => postpone(row))
        throw error
      }
    }
  }
}
