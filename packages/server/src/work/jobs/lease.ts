import type { Database } from '../../storage/db/database.ts'
import type { LeaseRow } from '../../storage/db/tables.ts'

export interface LeaseOptions {
  readonly db: Database
  readonly name: string
  /** Identifies this process; different after a restart. */
  readonly holder: string
  /** How long the lease lasts without renewal. */
  readonly lifeMs: number
  /** Monotonic. Clocks of two machines are never compared, so they may differ by any amount. */
  readonly clock: () => number
}

export class LeaseLost extends Error {
  override message = 'Another process has taken over'
}

/**
 * Lets one process at a time do something. The holder keeps incrementing a number; a process that has seen no change for a
 * full lifetime takes the lease. A holder counts the lifetime from before its update, a watcher from after it saw it, so the
 * holder always notices the loss first.
 */
export class Lease {
  readonly #options: LeaseOptions
  #heldUntil = Number.NEGATIVE_INFINITY
  #terms = 0
  #seen: { readonly row: LeaseRow; readonly sinceMs: number } | undefined

  constructor(options: LeaseOptions) {
    this.#options = options
  }

  get held(): boolean {
    return this.#options.clock() < this.#heldUntil
  }

  /** Changes whenever it is taken: another process may have had it in between. */
  get terms(): number {
    return this.#terms
  }

  /** Renews the lease, or takes it if it is free. Call it several times per lifetime. Returns whether it is held. */
  async tick(): Promise<boolean> {
    const { db, name, holder, lifeMs, clock } = this.#options
    const askedAtMs = clock()
    const row = await db.sql.selectFrom('leases').selectAll().where('name', '=', name).executeTakeFirst()
    if (row !== undefined && row.holder !== holder && !this.#isAbandoned(row)) {
      this.#heldUntil = Number.NEGATIVE_INFINITY
      return false
    }
    if (row?.holder !== holder) this.#terms++
    const taken = await db.write(() => (row === undefined ? this.#insert() : this.#take(row)))
    this.#heldUntil = taken ? askedAtMs + lifeMs : Number.NEGATIVE_INFINITY
    return this.held
  }

  /** Inside a write: fails if another process has taken the lease, and prevents that until the commit. */
  async confirm(): Promise<void> {
    const { db, name, holder } = this.#options
    const query = db.sql.selectFrom('leases').select('holder').where('name', '=', name)
    const row = await db.dialect.locking(query).executeTakeFirst()
    if (row?.holder !== holder) throw new LeaseLost()
  }

  /** Releases the lease, so that the next process need not wait. */
  async release(): Promise<void> {
    const { db, name, holder } = this.#options
    this.#heldUntil = Number.NEGATIVE_INFINITY
    await db.write(() =>
      db.sql
        .updateTable('leases')
        .set({ holder: '' })
        .where('name', '=', name)
        .where('holder', '=', holder)
        .execute(),
    )
  }

  #isAbandoned(row: LeaseRow): boolean {
    const { clock, lifeMs } = this.#options
    const seen = this.#seen
    if (row.holder === '') return true
    if (seen?.row.holder === row.holder && seen.row.beat === row.beat) return clock() - seen.sinceMs >= lifeMs
    this.#seen = { row, sinceMs: clock() }
    return false
  }

  async #insert(): Promise<boolean> {
    const { db, name, holder } = this.#options
    const made = await db.sql
      .insertInto('leases')
      .values({ name, holder, beat: 1 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .executeTakeFirst()
    return (made.numInsertedOrUpdatedRows ?? 0n) > 0n
  }

  /** Only if the row has not changed: of two processes, one gets it. */
  async #take(row: LeaseRow): Promise<boolean> {
    const { db, name, holder } = this.#options
    const taken = await db.sql
      .updateTable('leases')
      .set({ holder, beat: row.beat + 1 })
      .where('name', '=', name)
      .where('holder', '=', row.holder)
      .where('beat', '=', row.beat)
      .executeTakeFirst()
    return taken.numUpdatedRows > 0n
  }
}
