import type { Database as Sqlite } from 'better-sqlite3'
import { TEXT_COLUMNS } from '../day-texts.ts'
import { RowWriter } from './row-writer.ts'

const TEXTS = TEXT_COLUMNS.join(', ')

export type SqliteStatements = ReturnType<typeof sqliteStatements>

/** Everything the reader of the spool says to SQLite, prepared once. */
export function sqliteStatements(db: Sqlite, pause: () => void) {
  return {
    position: db.prepare<[string], { position: number; finished_at: number | null }>(
      'select position, finished_at from spool_positions where file = ?',
    ),
    addFile: db.prepare<[string]>(
      'insert into spool_positions (file, position) values (?, 0) on conflict do nothing',
    ),
    move: db.prepare<[number, string, number]>(
      'update spool_positions set position = ? where file = ? and position = ? and finished_at is null',
    ),
    finish: db.prepare<[number, string]>('update spool_positions set finished_at = ? where file = ?'),
    forgetFinished: db.prepare<[number]>('delete from spool_positions where finished_at < ?'),
    addSalt: db.prepare<[number, string]>(
      'insert into visitor_salts (day, salt) values (?, ?) on conflict do nothing',
    ),
    salt: db.prepare<[number], { salt: string }>('select salt from visitor_salts where day = ?'),
    addToLink: db.prepare<[number, number, number | null, string], { user_uuid: string }>(
      `update links set clicks = clicks + ?, bot_clicks = bot_clicks + ?,
        last_click_at = nullif(max(coalesce(last_click_at, 0), coalesce(?, 0)), 0)
        where uuid = ? returning user_uuid`,
    ),
    addToPage: db.prepare<[number, string], { user_uuid: string }>(
      'update pages set views = views + ? where uuid = ? returning user_uuid',
    ),
    addClicks: new RowWriter(
      db,
      `insert into clicks (at, kind, subject_uuid, user_uuid, detail, country, referrer, device, browser, system,
        bot)`,
      11,
      '',
      pause,
    ),
    /** Returns those that were not there before. */
    addVisits: new RowWriter(db, 'insert into visits (id)', 1, 'on conflict do nothing returning id', pause),
    texts: db
      .prepare<[number, number, number], string[]>(
        `select ${TEXTS} from click_days where user_key = ? and scope_key = ? and day = ?`,
      )
      .raw(),
    addDays: new RowWriter(
      db,
      `insert into click_days (user_key, scope_key, day, clicks, uniques, bots, ${TEXTS})`,
      6 + TEXT_COLUMNS.length,
      `on conflict (user_key, scope_key, day) do update set clicks = clicks + excluded.clicks,
        uniques = uniques + excluded.uniques, bots = bots + excluded.bots,
        ${TEXT_COLUMNS.map((column) => `${column} = excluded.${column}`).join(', ')}`,
      pause,
    ),
  }
}
