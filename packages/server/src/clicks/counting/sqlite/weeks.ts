import type { Database as Sqlite, Transaction } from 'better-sqlite3'
import { ALL_LINKS } from '../scope-key.ts'
import { type ClosedBatch, type CountedDay, isWorthSumming, rowsOfWeek } from '../../weeks/due-week.ts'
import { WEEK_MS, weekOf, type WeekRow } from '../../weeks/week.ts'

const OF_WEEK = 'user_key = ? and day >= ? and day < ?'
type Put = (userKey: number, week: number, clicks: number, rows: readonly WeekRow[]) => void
type OfWeek = [userKey: number, from: number, to: number]

/** The weeks that have to be added up, and their sums. */
export class SqliteWeeks {
  readonly #run: ReturnType<typeof statements>
  readonly #put: Transaction<Put>

  constructor(db: Sqlite) {
    this.#run = statements(db)
    this.#put = db.transaction<Put>((...week) => this.#replace(...week))
  }

  /** Inside the transaction that closes a day of the week. */
  noteDue(userKey: number, day: number): void {
    this.#run.noteDue.run(userKey, weekOf(day))
  }

  /** Adding up is done before the transaction: others do not wait for it. */
  sumNext(): boolean {
    const due = this.#run.due.get()
    if (due === undefined) return false
    const ofWeek: OfWeek = [due.user_key, due.week, due.week + WEEK_MS]
    const clicks = this.#run.clicks.get(...ofWeek) ?? 0
    let rows: WeekRow[] = []
    try {
      if (isWorthSumming(clicks))
        rows = rowsOfWeek(
          due.week,
          this.#run.closed.all(...ofWeek),
          this.#run.counted.all(...ofWeek, ALL_LINKS),
        )
    } finally {
      // One that cannot be read must not keep all others waiting: it stays without sums.
      this.#put.immediate(due.user_key, due.week, clicks, rows)
    }
    return true
  }

  /** Nothing is kept if a batch was closed meanwhile, or the account is gone. */
  #replace(userKey: number, week: number, clicks: number, rows: readonly WeekRow[]): void {
    if ((this.#run.clicks.get(userKey, week, week + WEEK_MS) ?? 0) !== clicks) return
    if (this.#run.removeDue.run(userKey, week).changes === 0) return
    this.#run.remove.run(userKey, week)
    for (const { part, data } of rows) this.#run.add.run(userKey, week, part, data)
  }
}

function statements(db: Sqlite) {
  return {
    noteDue: db.prepare<[number, number]>(
      'insert into due_weeks (user_key, week) values (?, ?) on conflict do nothing',
    ),
    due: db.prepare<[], { user_key: number; week: number }>('select user_key, week from due_weeks limit 1'),
    removeDue: db.prepare<[number, number]>('delete from due_weeks where user_key = ? and week = ?'),
    clicks: db
      .prepare<OfWeek, number | null>(
        `select sum(clicks) from click_batches where ${OF_WEEK} and open_day is null`,
      )
      .pluck(),
    closed: db.prepare<OfWeek, ClosedBatch>(
      `select day, id, data from click_batches where ${OF_WEEK} and open_day is null order by day, id`,
    ),
    counted: db.prepare<[...OfWeek, number], CountedDay>(
      `select day, clicks, bots from click_days where ${OF_WEEK} and scope_key = ?`,
    ),
    remove: db.prepare<[number, number]>('delete from click_weeks where user_key = ? and week = ?'),
    add: db.prepare<[number, number, string, Uint8Array]>(
      'insert into click_weeks (user_key, week, part, data) values (?, ?, ?, ?)',
    ),
  }
}
