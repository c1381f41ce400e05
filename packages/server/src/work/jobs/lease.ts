import type { Database } from '../../storage/db/database.ts'
import type { LeaseRow } from '../../storage/db/tables.ts'

export interface LeaseOptions {
  readonly db: Database
  readonly name: string
  /** Of this process alone, in this life of it. */
  readonly holder: string
  /** How long a holder that is silent still counts as alive. */
  readonly lifeMs: number
  /** Monotonic. The clocks of two machines are never compared, so it does not matter how far apart they are. */
  readonly clock: () => number
}

export class LeaseLost extends Error {
  override message = 'Another process has taken over'
}

/**
 * Lets one process at a time do something. The holder keeps raising a number; a process that has watched that
 * number stand still for a whole life takes the lease. A holder counts its life from before it raised the number,
 * a watcher from after it saw it: so the holder always knows first that it has lost it.
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

  /** Changes whenever it is taken: in between another may have held it. */
  get terms(): number {
    return this.#terms
  }

  /** Keeps the lease, or takes it if it is free; to be called several times in a life. Returns whether it is held. */
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

  /** Inside a write: fails if another process has taken the lease, and lets none take it until the commit. */
  async confirm(): Promise<void> {
    const { db, name, holder } = this.#options
    const query = db.sql.selectFrom('leases').select('holder').where('name', '=', name)
    const row = await db.dialect.locking(query).executeTakeFirst()
    if (row?.holder !== holder) throw new LeaseLost()
  }

  /** Gives it back, so that the next one need not wait. */
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

  /** Only if it still is what was seen: of two that want it, one gets it. */
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
