import { randomUUID } from 'node:crypto'
import type { Database } from '../../storage/db/database.ts'
import { Lease, LeaseLost } from '../../work/jobs/lease.ts'

const LIFE_MS = 15_000
const BEATS_OF_A_LIFE = 5

/**
 * Changes to the clicks in ClickHouse are made by one process of all nodes, one after the other: sending batches, summing
 * and dropping a month, deleting what was erased. A process that has the lease keeps it until it ends.
 */
export class ClickHouseLease {
  readonly #db: Database
  readonly #lease: Lease
  readonly #report: (error: unknown) => void
  readonly #beatMs: number
  /** Of the work that is under way. */
  #term = 0
  #last: Promise<unknown> = Promise.resolve()
  #ticks: Promise<unknown> = Promise.resolve()
  #beat: NodeJS.Timeout | undefined

  constructor(db: Database, report: (error: unknown) => void = () => undefined, lifeMs = LIFE_MS) {
    const clock = (): number => performance.now()
    this.#lease = new Lease({ db, name: 'clickhouse', holder: randomUUID(), lifeMs, clock })
    this.#db = db
    this.#beatMs = lifeMs / BEATS_OF_A_LIFE
    this.#report = report
  }

  /** True: another process has not taken over since the work began. To be asked before each change. */
  get isHeld(): boolean {
    return this.#lease.held && this.#lease.terms === this.#term
  }

  /** Changes when the lease is taken: in between another process may have held it. */
  get term(): number {
    return this.#term
  }

  /** Fails if another process has taken over. Inside a write, the changes of the write are those of the holder or none. */
  async confirm(): Promise<void> {
    await this.#db.write(() => this.#lease.confirm())
    if (this.#lease.terms !== this.#term) throw new LeaseLost()
  }

  /**
   * Runs work alone, if this process has the lease or can take it; `undefined` otherwise. While clicks are fetched back
   * into the database, only the fetching may change anything.
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

  /** One after the other: of two at once, one would find the lease changed and count it as lost. */
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

/** Clicks are on their way back into the database. */
export async function hasBegunFetching(db: Database): Promise<boolean> {
  const row = await db.sql
    .selectFrom('fetched_clicks')
    .select('month')
    .where('workspace_uuid', '=', '')
    .executeTakeFirst()
  return row !== undefined
}
