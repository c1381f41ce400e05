import { setTimeout as delay } from 'node:timers/promises'
import { Cron } from 'croner'
import type { Database } from '../../storage/db/database.ts'
import { Lease } from './lease.ts'

/** Periodic work, done by one process of all nodes. */
export interface Job {
  readonly name: string
  /** The schedule in UTC: `minute hour day month weekday`. */
  readonly cron: string
  /** Also runs when a process takes over, because it may have to finish what another began. */
  readonly atTakeover?: boolean
  /** Can run again after it was interrupted at any point. Ends soon after the signal. */
  run(signal: AbortSignal): Promise<void>
}

export interface JobsOptions {
  readonly db: Database
  readonly jobs: readonly Job[]
  readonly holder: string
  readonly report: (error: unknown) => void
  readonly now?: () => number
  readonly clock?: () => number
  readonly beatMs?: number
  readonly lifeMs?: number
}

/** The periodic work of a process, done while it has the lease. */
export interface Jobs {
  readonly leading: boolean
  /** Number of failed runs since the start. */
  readonly failures: number
  /** Aborts running jobs, and lets another process take over. */
  close(): Promise<void>
}

const BEAT_MS = 2_000
const LIFE_MS = 7_000
/** How soon a failed or interrupted run is retried, however seldom the job is due. */
const RETRY_MS = 300_000
const CLOSE_MS = 3_000

/** Starts to run jobs, or to wait for the process that runs them to die. */
export function startJobs(options: JobsOptions): Jobs {
  const runner = new JobRunner(options)
  const ending = new AbortController()
  const beat = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      await runner.step()
      await delay(options.beatMs ?? BEAT_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
  }
  const beating = beat()
  return {
    get leading() {
      return runner.leading
    },
    get failures() {
      return runner.failures
    },
    async close() {
      ending.abort()
      await beating
      await runner.close()
    },
  }
}

/** One step at a time, so that tests can be exact. */
export class JobRunner {
  failures = 0
  readonly #options: JobsOptions
  readonly #now: () => number
  readonly #lease: Lease
  #leading = false
  #cutOff = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #busy = false
  #away = false
  #expiry: NodeJS.Timeout | undefined
  #owed: Set<string> = new Set()

  constructor(options: JobsOptions) {
    this.#options = options
    this.#now = options.now ?? Date.now
    this.#lease = new Lease({
      db: options.db,
      name: 'jobs',
      holder: options.holder,
      lifeMs: options.lifeMs ?? LIFE_MS,
      clock: options.clock ?? (() => performance.now()),
    })
  }

  get leading(): boolean {
    return this.#leading && this.#lease.held
  }

  /** Renews or takes the lease, and starts due jobs without waiting for their end. */
  async step(): Promise<void> {
    const held = await this.#tick()
    if (held && !this.#leading) this.#takeOver()
    if (!held && this.#leading) this.#stepDown()
    if (held && !this.#busy) this.#running = this.#work()
  }

  /** Resolves when the runs started so far have ended. */
  settled(): Promise<void> {
    return this.#running
  }

  async close(): Promise<void> {
    clearTimeout(this.#expiry)
    this.#stepDown()
    await Promise.race([this.#running, delay(CLOSE_MS, undefined, { ref: false })])
    await this.#lease.release().catch(this.#options.report)
  }

  async #tick(): Promise<boolean> {
    try {
      const held = await this.#lease.tick()
      this.#away = false
      if (held) this.#endInTime()
      return held
    } catch (error) {
      // Once per outage, because this runs every other second.
      if (!this.#away) this.#options.report(error)
      this.#away = true
      return this.#lease.held
    }
  }

  /** The lease must end on time even if the database does not respond. */
  #endInTime(): void {
    clearTimeout(this.#expiry)
    this.#expiry = setTimeout(() => {
      if (!this.#lease.held) this.#stepDown()
    }, this.#options.lifeMs ?? LIFE_MS)
    this.#expiry.unref()
  }

  #takeOver(): void {
    this.#leading = true
    this.#cutOff = new AbortController()
    this.#owed = new Set(this.#options.jobs.filter((job) => job.atTakeover).map((job) => job.name))
  }

  #stepDown(): void {
    this.#leading = false
    this.#cutOff.abort()
  }

  async #work(): Promise<void> {
    this.#busy = true
    try {
      const { signal } = this.#cutOff
      for (const job of this.#options.jobs) {
        if (signal.aborted) return
        if (this.#owed.delete(job.name) || (await this.#isDue(job))) await this.#run(job, signal)
      }
    } catch (error) {
      this.#options.report(error)
    } finally {
      this.#busy = false
    }
  }

  async #isDue(job: Job): Promise<boolean> {
    const row = await this.#options.db.sql
      .selectFrom('job_runs')
      .selectAll()
      .where('name', '=', job.name)
      .executeTakeFirst()
    if (row === undefined) return true
    const next = new Cron(job.cron, { timezone: 'UTC', paused: true }).nextRun(new Date(row.started_at))
    const dueAtMs = next === null ? Number.POSITIVE_INFINITY : next.getTime()
    return this.#now() >= (row.ended_at === null ? Math.min(row.started_at + RETRY_MS, dueAtMs) : dueAtMs)
  }

  async #run(job: Job, signal: AbortSignal): Promise<void> {
    await this.#note(job, this.#now(), null)
    const startedAtMs = this.#now()
    try {
      await job.run(signal)
    } catch (error) {
      this.failures++
      this.#options.report(new Error(`The job ${job.name} failed`, { cause: error }))
      return
    }
    if (!signal.aborted) await this.#note(job, startedAtMs, this.#now())
  }

  async #note(job: Job, started_at: number, ended_at: number | null): Promise<void> {
    const { db } = this.#options
    await db.write(() =>
      db.sql
        .insertInto('job_runs')
        .values({ name: job.name, started_at, ended_at })
        .onConflict((conflict) => conflict.column('name').doUpdateSet({ started_at, ended_at }))
        .execute(),
    )
  }
}
