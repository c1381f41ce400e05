import type { Database as Sqlite, Transaction } from 'better-sqlite3'
import { ALL_LINKS } from '../scope-key.ts'
import {
  type ClosedBatch,
  type CountedDay,
  type DueSums,
  isWorthSumming,
  NO_SUMS,
  sumsOfDue,
} from '../../weeks/due-week.ts'
import { seasonOf, WEEK_MS, weekOf } from '../../weeks/week.ts'

const OF_WEEK = 'user_key = ? and day >= ? and day < ?'
type Put = (userKey: number, week: number, seen: Seen, sums: DueSums) => void
/** What the sums were made from. */
interface Seen {
  readonly clicks: number
  readonly keyBytes: number
}

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
    const keys = this.#run.keys.get(due.user_key, seasonOf(due.week)) ?? new Uint8Array()
    let sums = NO_SUMS
    try {
      if (isWorthSumming(clicks))
        sums = sumsOfDue(
          due.week,
          this.#run.closed.all(...ofWeek),
          this.#run.counted.all(...ofWeek, ALL_LINKS),
          keys,
        )
    } finally {
      // One that cannot be read must not keep all others waiting: it stays without sums.
      this.#put.immediate(due.user_key, due.week, { clicks, keyBytes: keys.length }, sums)
    }
    return true
  }

  /** Nothing is kept if a batch was closed or a link got its number meanwhile, or the account is gone. */
  #replace(userKey: number, week: number, seen: Seen, { rows, seasonKeys }: DueSums): void {
    if ((this.#run.clicks.get(userKey, week, week + WEEK_MS) ?? 0) !== seen.clicks) return
    const season = seasonOf(week)
    if (seasonKeys !== undefined && (this.#run.keyBytes.get(userKey, season) ?? 0) !== seen.keyBytes) return
    if (this.#run.removeDue.run(userKey, week).changes === 0) return
    this.#run.remove.run(userKey, week)
    for (const { part, data } of rows) this.#run.add.run(userKey, week, part, data)
    if (seasonKeys !== undefined) this.#run.putKeys.run(userKey, season, seasonKeys)
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
    keys: db
      .prepare<[number, number], Uint8Array>(
        'select keys from season_links where user_key = ? and season = ?',
      )
      .pluck(),
    keyBytes: db
      .prepare<[number, number], number>(
        'select length(keys) from season_links where user_key = ? and season = ?',
      )
      .pluck(),
    putKeys: db.prepare<[number, number, Uint8Array]>(
      `insert into season_links (user_key, season, keys) values (?, ?, ?)
        on conflict do update set keys = excluded.keys`,
    ),
    remove: db.prepare<[number, number]>('delete from click_weeks where user_key = ? and week = ?'),
    add: db.prepare<[number, number, string, Uint8Array]>(
      'insert into click_weeks (user_key, week, part, data) values (?, ?, ?, ?)',
    ),
  }
}
