import { randomUUID } from 'node:crypto'
import type { Database } from '../../storage/db/database.ts'
import { Lease, LeaseLost } from '../../work/jobs/lease.ts'

const LIFE_MS = 15_000
const RENEWALS_PER_LIFE = 5

/**
 * Only one process of all nodes changes the clicks in ClickHouse at a time: it sends batches, sums and drops months, and
 * deletes erased accounts. A process that has the lease keeps it until it ends.
 */
export class ClickHouseLease {
  readonly #db: Database
  readonly #lease: Lease
  readonly #report: (error: unknown) => void
  readonly #beatMs: number
  /** The term of the current work. */
  #term = 0
  #last: Promise<unknown> = Promise.resolve()
  #ticks: Promise<unknown> = Promise.resolve()
  #beat: NodeJS.Timeout | undefined

  constructor(db: Database, report: (error: unknown) => void = () => undefined, lifeMs = LIFE_MS) {
    const clock = (): number => performance.now()
    this.#lease = new Lease({ db, name: 'clickhouse', holder: randomUUID(), lifeMs, clock })
    this.#db = db
    this.#beatMs = lifeMs / RENEWALS_PER_LIFE
    this.#report = report
  }

  /** True if no other process has taken over since the work began. Check it before each change. */
  get isHeld(): boolean {
    return this.#lease.held && this.#lease.terms === this.#term
  }

  /** Changes each time this process takes the lease: another process may have held it in between. */
  get term(): number {
    return this.#term
  }

  /** Throws if another process has taken over. Inside a write, this makes the write depend on still having the lease. */
  async confirm(): Promise<void> {
    await this.#db.write(() => this.#lease.confirm())
    if (this.#lease.terms !== this.#term) throw new LeaseLost()
  }

  /**
   * Runs `work` exclusively if this process has the lease or can take it; otherwise returns `undefined`. While clicks are
   * fetched back into the database, only `clicks fetch` may change anything.
   */
  exclusively<T>(work: () => Promise<T>, isFetching = false): Promise<T | undefined> {
    const run = async (): Promise<T | undefined> => {
      if (!(await this.#tick())) return undefined
      this.#term = this.#lease.terms
      if (!isFetching && (await hasBegunFetching(this.#db)))
        throw new Error('waymark clicks fetch has begun; run it again to its end, then unset CLICKS_URL')
      this.#beat ??= setInterval(() => void this.#tick().catch(this.#report), this.#beatMs).unref()
      return work()
    }
    const result = this.#last.then(run, run)
    this.#last = result.catch(() => undefined)
    return result
  }

  /** Runs ticks one after another: of two at once, one would find the lease changed and treat it as lost. */
  #tick(): Promise<boolean> {
    const tick = this.#ticks.then(() => this.#lease.tick())
    this.#ticks = tick.catch(() => undefined)
    return tick
  }

  /** Lets another process take over at once. */
  async close(): Promise<void> {
    clearInterval(this.#beat)
    await this.#last
    await this.#ticks
    if (this.#beat !== undefined) await this.#lease.release()
  }
}

/** True while clicks are being fetched back into the database. */
export async function hasBegunFetching(db: Database): Promise<boolean> {
  const row = await db.sql
    .selectFrom('fetched_clicks')
    .select('month')
    .where('workspace_uuid', '=', '')
    .executeTakeFirst()
  return row !== undefined
}
