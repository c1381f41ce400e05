import { SeenVisits } from './seen-visits.ts'
import { dayNumberOfVisit, withoutDay } from './visit-id.ts'
import { bufferOf } from '../../work/threads.ts'

/*
 * Whether a visit is new is known from memory. On disk a day's visits are a log: each batch adds one row with those that
 * were new. Visits are numbers at random, so an index of them would be changed everywhere by every batch, which took
 * more time than everything else that is written for a click (docs/adr/0022-visits-in-memory.md).
 *
 * A reader that adds to the log first reads what others have added, and no other can add meanwhile: SQLite has one writer,
 * on PostgreSQL a lock sees to it.
 */

/** A row of `visit_log`. */
export interface LoggedVisits {
  readonly sequence: number
  readonly data: Uint8Array
}

/** Visits of one day, in any order. */
export interface DayVisits {
  readonly day: number
  readonly ids: readonly number[]
}

/** What was added to the log. */
export interface LoggedDay extends DayVisits {
  readonly sequence: number
}

interface KnownDay {
  readonly seen: SeenVisits
  /** Of the last row that was read. */
  sequence: number
  /** Rows added here since some were merged. */
  rows: number
}

interface Unseen {
  readonly day: number
  readonly ids: number[]
  readonly seen: SeenVisits
}

const VISIT_BYTES = 5
/** Today and yesterday, and a clock that is off. */
const DAYS_KEPT = 3
/** A day's visits that are kept in memory, where they take up to 42 MB. Further ones go to the table `visits`. */
const MOST_VISITS = 4_000_000
/** Small rows of a day are merged when this many were added: a start reads them all. */
const SMALL_ROWS = 64

export class VisitLog {
  /** Those that were used last come last. */
  readonly #days = new Map<number, KnownDay>()
  readonly #mostVisits: number

  constructor(mostVisits = MOST_VISITS) {
    this.#mostVisits = mostVisits
  }

  /** Makes the days ready to be read and asked about, and forgets others. */
  open(days: readonly number[]): void {
    for (const day of days) {
      const known = this.#days.get(day) ?? { seen: new SeenVisits(), sequence: 0, rows: 0 }
      this.#days.delete(day)
      this.#days.set(day, known)
    }
    for (const oldest of this.#days.keys()) {
      if (this.#days.size <= Math.max(DAYS_KEPT, days.length)) break
      this.#days.delete(oldest)
    }
  }

  /** How far a day's rows were read. */
  sequenceOf(day: number): number {
    return this.#day(day).sequence
  }

  /** Whether the day has too many visits for memory. */
  isFull(day: number): boolean {
    return this.#day(day).seen.count >= this.#mostVisits
  }

  read(day: number, rows: readonly LoggedVisits[]): void {
    const known = this.#day(day)
    for (const { sequence, data } of rows) {
      const bytes = bufferOf(data)
      for (let at = 0; at < bytes.length; at += VISIT_BYTES) known.seen.add(bytes.readUIntLE(at, VISIT_BYTES))
      known.sequence = Math.max(known.sequence, sequence)
    }
  }

  /** Those that are in no row that was read, by day. */
  unseen(ids: Float64Array): DayVisits[] {
    const found = new Map<number, Unseen>()
    let last: Unseen | undefined
    for (const id of ids) {
      const day = dayNumberOfVisit(id)
      // Clicks come in the order of time, nearly: mostly it is the same day again.
      if (last?.day !== day) {
        last = found.get(day) ?? { day, ids: [], seen: this.#day(day).seen }
        found.set(day, last)
      }
      if (!last.seen.has(withoutDay(id))) last.ids.push(id)
    }
    return [...found.values()].filter((one) => one.ids.length > 0)
  }

  /**
   * To be called when the row is committed, and not before: one that is rolled back was never seen. Returns whether so many
   * rows were added to the day that they should be merged.
   */
  note({ day, ids, sequence }: LoggedDay): boolean {
    const known = this.#day(day)
    for (const id of ids) known.seen.add(withoutDay(id))
    known.sequence = Math.max(known.sequence, sequence)
    known.rows = (known.rows + 1) % SMALL_ROWS
    return known.rows === 0
  }

  #day(day: number): KnownDay {
    const known = this.#days.get(day)
    if (known === undefined) throw new Error('A day of visits was not opened')
    return known
  }
}

/** Days of these visits. */
export function daysOfVisits(ids: Float64Array): number[] {
  const days = new Set<number>()
  for (const id of ids) days.add(dayNumberOfVisit(id))
  return [...days]
}

export function packVisits(ids: readonly number[]): Buffer {
  const bytes = Buffer.allocUnsafe(ids.length * VISIT_BYTES)
  for (let at = 0; at < ids.length; at++)
    bytes.writeUIntLE(withoutDay(ids[at]!), at * VISIT_BYTES, VISIT_BYTES)
  return bytes
}

/** Rows with fewer visits than this are worth merging, up to as many together. */
export const SMALL_ROW_VISITS = 5_000
export const MOST_MERGED_ROWS = 1_000
