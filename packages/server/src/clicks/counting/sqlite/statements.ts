import type { Database as Sqlite } from 'better-sqlite3'
import type { Pause } from '../../../work/v8/counting-pauses.ts'
import type { OpenDay } from '../click-store.ts'
import { TEXT_COLUMNS } from '../day-texts.ts'
import type { Watcher } from '../webhook-clicks.ts'
import type { LoggedVisits } from '../visit-log.ts'
import { RowWriter } from './row-writer.ts'

const TEXTS = TEXT_COLUMNS.join(', ')

/** Whom a link or page belongs to, and where it is reached. */
export type OwnerColumns = [userUuid: string, ownerType: string | null, domain: string, name: string]

export type SqliteStatements = ReturnType<typeof sqliteStatements>

/** Everything the reader of the spool says to SQLite, prepared once. */
export function sqliteStatements(db: Sqlite, pause: Pause) {
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
    watchers: db.prepare<[], Watcher>(
      'select uuid, workspace_uuid from webhooks where wants_clicks = 1 and enabled = 1 and trashed_at = 0',
    ),
    addToldClicks: new RowWriter(
      db,
      'insert into webhook_clicks (uuid, webhook_uuid, workspace_uuid, count, clicks)',
      5,
      '',
      pause,
    ),
    /** Another number whenever another connection has changed the database. */
    dataVersion: db.prepare<[], number>('pragma data_version').pluck(),
    linkOwner: db
      .prepare<[string], OwnerColumns>(
        'select workspace_uuid, owner_type, domain, short_code from links where uuid = ?',
      )
      .raw(),
    user: db.prepare<[string], 1>('select 1 from workspaces where uuid = ?').pluck(),
    // Without `returning`: as a part of this statement it would cost as much as the update itself.
    addToLink: db.prepare<[number, number, number | null, string]>(
      `update links set clicks = clicks + ?, bot_clicks = bot_clicks + ?,
        last_click_at = nullif(max(coalesce(last_click_at, 0), coalesce(?, 0)), 0) where uuid = ?`,
    ),
    pageOwner: db
      .prepare<[string], OwnerColumns>('select workspace_uuid, null, domain, slug from pages where uuid = ?')
      .raw(),
    addToPage: db.prepare<[number, string]>('update pages set views = views + ? where uuid = ?'),
    logged: db.prepare<[number, number], LoggedVisits>(
      'select sequence, data from visit_log where day = ? and sequence > ? order by sequence',
    ),
    addToLog: db
      .prepare<[number, number, Uint8Array, number], number>(
        `insert into visit_log (day, sequence, visits, data)
          select ?, coalesce(max(sequence), 0) + 1, ?, ? from visit_log where day = ? returning sequence`,
      )
      .pluck(),
    smallLogged: db.prepare<[number, number, number], LoggedVisits & { visits: number }>(
      `select sequence, visits, data from visit_log where day = ? and visits < ? order by sequence limit ?`,
    ),
    removeLogged: db.prepare<[number, number]>('delete from visit_log where day = ? and sequence = ?'),
    /** Returns those that were not there before. */
    addVisits: new RowWriter(db, 'insert into visits (id)', 1, 'on conflict do nothing returning id', pause),
    addWaiting: db.prepare<[string, string]>('insert into waiting_totals (id, totals) values (?, ?)'),
    waiting: db.prepare<[], { id: string; totals: string }>('select id, totals from waiting_totals limit 64'),
    isWaiting: db.prepare<[string], 1>('select 1 from waiting_totals where id = ?').pluck(),
    removeWaiting: db.prepare<[string]>('delete from waiting_totals where id = ?'),
    addBatch: db.prepare<[number, number, string, number | null, number, Uint8Array]>(
      'insert into click_batches (user_key, day, id, open_day, clicks, data) values (?, ?, ?, ?, ?, ?)',
    ),
    removeBatch: db.prepare<[number, number, string]>(
      'delete from click_batches where user_key = ? and day = ? and id = ?',
    ),
    openBatches: db.prepare<[number, number], { id: string; clicks: number; bytes: number }>(
      `select id, clicks, length(data) as bytes from click_batches
        where user_key = ? and day = ? and open_day is not null order by id`,
    ),
    batchData: db
      .prepare<[number, number, string], Uint8Array>(
        'select data from click_batches where user_key = ? and day = ? and id = ?',
      )
      .pluck(),
    setBatchAside: db.prepare<[string, number, number, string]>(
      `insert into set_aside_clicks (user_key, day, id, clicks, reason, data)
        select user_key, day, id, clicks, ?, data from click_batches where user_key = ? and day = ? and id = ?`,
    ),
    addSetAside: db.prepare<[number, number, string, number, string, Uint8Array, string]>(
      `insert into set_aside_clicks (user_key, day, id, clicks, reason, data)
        select ?, ?, ?, ?, ?, ? from workspaces where uuid = ?`,
    ),
    oldestOpen: db.prepare<[number, string], OpenDay>(
      `select user_key as userKey, day from click_batches where open_day < ? and (user_key, day) not in
        (select value ->> 'userKey', value ->> 'day' from json_each(?)) order by open_day limit 1`,
    ),
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
