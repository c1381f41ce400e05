import { AsyncLocalStorage } from 'node:async_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import type { Database as Sqlite, Statement } from 'better-sqlite3'
import { nextTurn } from '../../work/turns.ts'
import type { WritePriority } from './database.ts'
import { isBusy, UnavailableError } from './unavailable.ts'

interface Job {
  /** Runs the work and returns what to do once it is on disk. */
  readonly run: () => Promise<() => void>
  readonly reject: (error: unknown) => void
  readonly released: WriteHooks['released']
  readonly queuedAt: number
}

interface WriteHooks {
  readonly afterCommit: () => void
  readonly abandoned: () => void
  readonly released?: (() => void) | undefined
}

interface WriterLimits {
  readonly jobLimitMs?: number
  readonly lockWaitMs?: number
  readonly backgroundWaitMs?: number
}

interface Outcome {
  readonly job: Job
  readonly settle: () => void
}

const GROUP_JOBS = 500
const GROUP_MS = 20
const LOCK_WAIT_MS = 5_000
/** After this long without a pause, the lock is released for a moment, because other processes can only poll for it. */
const HOLD_MS = 50
const LEAVE_FREE_MS = 3
/** How long a background write yields to others at most, so that it also ends on a busy server. */
const BACKGROUND_WAIT_MS = 500

/**
 * Group commit: waiting writes share one transaction, and so one flush to disk. Each runs in its own savepoint, so that a
 * failing write rolls back only itself, and none returns before the flush. The next group forms meanwhile. Background
 * writes run when no other write is waiting, and commit alone; other writes do not wait for their flush.
 */
export class SqliteWriter {
  readonly #db: Sqlite
  readonly #flush: () => Promise<void>
  readonly #watchdog: Watchdog
  readonly #lockWaitMs: number
  readonly #backgroundWaitMs: number
  readonly #begin: Statement
  readonly #commit: Statement
  readonly #savepoint: Statement
  readonly #release: Statement
  readonly #rollbackJob: Statement
  readonly #queue: Job[] = []
  readonly #background: Job[] = []
  #draining: Promise<void> | undefined
  #backgroundAnswered = Promise.resolve()
  #hasLostFlush = false
  #closed = false

  /** `flush` resolves when everything committed so far is on disk. */
  constructor(db: Sqlite, flush: () => Promise<void>, limits: WriterLimits = {}) {
    this.#db = db
    this.#flush = flush
    this.#watchdog = new Watchdog(limits.jobLimitMs ?? 15_000)
    this.#lockWaitMs = limits.lockWaitMs ?? LOCK_WAIT_MS
    this.#backgroundWaitMs = limits.backgroundWaitMs ?? BACKGROUND_WAIT_MS
    this.#begin = db.prepare('begin immediate')
    this.#commit = db.prepare('commit')
    this.#savepoint = db.prepare('savepoint job')
    this.#release = db.prepare('release job')
    this.#rollbackJob = db.prepare('rollback to job')
  }

  /**
   * `afterCommit` runs before the response, so that caches are invalidated before it is sent. `abandoned`: the work took too
   * long; it is still running and must no longer use the connection.
   * `released`: other writes no longer wait for this one, which may not be on disk yet.
   */
  write<T>(
    work: () => Promise<T>,
    { afterCommit, abandoned, released }: WriteHooks,
    priority: WritePriority = 'normal',
  ): Promise<T> {
    if (this.#closed) return Promise.reject(new UnavailableError('The database is closed'))
    // The queue runs in the context of the caller that started it, but each job belongs to its own caller.
    const inContext = AsyncLocalStorage.snapshot()
    return new Promise<T>((resolve, reject) => {
      const run = async (): Promise<() => void> => {
        const result = await this.#watchdog.watch(inContext(work), abandoned)
        return () => {
          inContext(afterCommit)
          resolve(result)
        }
      }
      const queue = priority === 'background' ? this.#background : this.#queue
      queue.push({ run, reject, released, queuedAt: performance.now() })
      this.#draining ??= nextTurn().then(() => this.#drain())
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#draining
    await this.#backgroundAnswered
  }

  async #drain(): Promise<void> {
    let holdingSince = performance.now()
    while (this.#queue.length + this.#background.length > 0) {
      try {
        this.#repairLog()
        if (await this.#takeLock()) holdingSince = performance.now()
        if (this.#isBackgroundNext()) await this.#commitBackground()
        else await this.#answerOnceFlushed(await this.#commitGroup(this.#queue, GROUP_JOBS))
      } catch (error) {
        for (const job of [...this.#queue.splice(0), ...this.#background.splice(0)]) job.reject(error)
      }
      if (performance.now() - holdingSince < HOLD_MS) {
        await nextTurn()
      } else {
        await delay(LEAVE_FREE_MS)
        holdingSince = performance.now()
      }
    }
    this.#draining = undefined
  }

  #isBackgroundNext(): boolean {
    const [first] = this.#background
    if (first === undefined) return false
    return this.#queue.length === 0 || performance.now() - first.queuedAt >= this.#backgroundWaitMs
  }

  /** Returns whether it had to wait for the lock. */
  async #takeLock(): Promise<boolean> {
    const giveUpAt = performance.now() + this.#lockWaitMs
    for (let waited = false; ; waited = true) {
      try {
        this.#begin.run()
        return waited
      } catch (error) {
        if (!isBusy(error)) throw error
        if (performance.now() > giveUpAt) {
          throw new UnavailableError('Another process holds the database', { cause: error })
        }
        await delay(1 + Math.random() * 2)
      }
    }
  }

  /** Does not wait for the flush, which may take longer than everything else. */
  async #commitBackground(): Promise<void> {
    const outcomes = await this.#commitGroup(this.#background, 1)
    for (const { job } of outcomes) job.released?.()
    const before = this.#backgroundAnswered
    this.#backgroundAnswered = this.#answerOnceFlushed(outcomes).then(() => before)
  }

  /** Returns the committed jobs; jobs of a group that could not be committed are rejected. */
  async #commitGroup(queue: Job[], most: number): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = []
    const stopAt = performance.now() + GROUP_MS
    try {
      while (outcomes.length < most && performance.now() < stopAt) {
        const job = queue.shift()
        if (job === undefined) break
        outcomes.push({ job, settle: await this.#runJob(job) })
      }
      this.#commit.run()
    } catch (error) {
      if (this.#db.inTransaction) this.#db.exec('rollback')
      for (const { job } of outcomes) job.reject(error)
      return []
    }
    return outcomes
  }

  async #answerOnceFlushed(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length === 0) return
    try {
      await this.#flush()
      if (this.#hasLostFlush) throw new Error('An earlier flush failed')
    } catch (cause) {
      this.#hasLostFlush = true
      const error = new UnavailableError('Writing to the disk failed', { cause })
      for (const { job } of outcomes) job.reject(error)
      return
    }
    for (const { settle } of outcomes) settle()
  }

  /**
   * After a failed flush, a later one may succeed without these pages, and the log then ends before writes that have already
   * returned. So there is no further write until everything has been checkpointed into the database.
   */
  #repairLog(): void {
    if (!this.#hasLostFlush) return
    const [{ busy } = { busy: 1 }] = this.#db.pragma('wal_checkpoint(restart)') as { busy: number }[]
    if (busy !== 0) throw new UnavailableError('Writing to the disk failed')
    this.#hasLostFlush = false
  }

  async #runJob(job: Job): Promise<() => void> {
    this.#savepoint.run()
    try {
      const settle = await job.run()
      this.#release.run()
      return settle
    } catch (error) {
      // If the disk is full or fails, SQLite rolls back the whole transaction itself.
      if (!this.#db.inTransaction) {
        job.reject(error)
        throw error
      }
      this.#rollbackJob.run()
      this.#release.run()
      return () => job.reject(error)
    }
  }
}

/**
 * All writes wait for the current one, so a write that never ends must not block the server. Because they run one at a time,
 * a single timer is enough; a new one for each would cost as much as a statement.
 */
class Watchdog {
  readonly #limitMs: number
  #timer: NodeJS.Timeout | undefined
  #giveUp: (() => void) | undefined

  constructor(limitMs: number) {
    this.#limitMs = limitMs
  }

  /** Returns the result of the work, or fails when it takes too long; calls `abandoned` first. */
  watch<T>(work: Promise<T>, abandoned: () => void): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => {
        abandoned()
        reject(new Error(`A write took longer than ${this.#limitMs} ms`))
      }
      // Abandoned work may still end later, when another write is being watched.
      const over = (): void => {
        if (this.#giveUp === giveUp) this.#giveUp = undefined
      }
      this.#giveUp = giveUp
      this.#timer = this.#timer?.refresh() ?? setTimeout(() => this.#giveUp?.(), this.#limitMs).unref()
      work.then(
        (result) => {
          over()
          resolve(result)
        },
        (error: unknown) => {
          over()
          reject(error)
        },
      )
    })
  }
}
