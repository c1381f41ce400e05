import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import { FINISHED_KEPT_MS } from '../click-store.ts'
import type { ClickStore } from '../click-store.ts'
import { totalsOf } from '../click-totals.ts'
import { prepareBatch } from '../prepared-batch.ts'
import { daysOfVisits, VisitLog } from '../visit-log.ts'
import { setAsideRows } from '../set-aside.ts'
import { countBatch } from './count-batch.ts'
import { mergeOpenBatches } from './merging.ts'
import { ownersOf, settleTotals } from './totals.ts'
import { mergeLogged, readLog } from './visits.ts'
import { readDueWeek, sumDueWeek } from './weeks.ts'

/** A reader that is behind counts more at once: clicks then share more of each statement. */
const MOST_CLICKS = 50_000
const STATEMENT_TIMEOUT_MS = 20_000

/** One connection is enough: batches go one after the other. */
export function openPostgresStore(
  url: string,
  onError: (error: Error) => void,
  log = new VisitLog(),
): ClickStore {
  const pool = new Pool({
    connectionString: url,
    application_name: 'waymark clicks',
    max: 1,
    connectionTimeoutMillis: 3_000,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    writesElsewhere: true,
    mostClicks: MOST_CLICKS,
    async position(file) {
      await pool.query('insert into spool_positions (file, position) values ($1, 0) on conflict do nothing', [
        file,
      ])
      const { rows } = await pool.query<{ position: string; finished_at: string | null }>(
        'select position, finished_at from spool_positions where file = $1',
        [file],
      )
      return { position: Number(rows[0]?.position), finished: rows[0]?.finished_at !== null }
    },
    async write(batch) {
      const totals = totalsOf(batch.clicks)
      const prepared = prepareBatch(batch, totals, await ownersOf(pool, totals))
      const days = daysOfVisits(prepared.visits.ids)
      log.open(days)
      // Before others have to wait: after a start it is a whole day.
      await readLog(pool, log, days)
      const aside = setAsideRows(batch, await ownersOf(pool, totalsOf(batch.setAside?.clicks ?? [])))
      const counted = await inTransaction(pool, async (client) => {
        const done = await countBatch(client, log, batch, prepared, aside)
        return batch.isTrial === true ? undefined : done
      })
      if (counted === undefined) return undefined
      const { written, logged } = counted
      for (const day of logged)
        if (log.note(day)) await inTransaction(pool, (client) => mergeLogged(client, day.day))
      return written
    },
    async settle() {
      return (await inTransaction(pool, settleTotals)) ?? false
    },
    async oldestOpenDay(beforeDay, except) {
      const { rows } = await pool.query<{ user_key: string; day: string }>(
        `select user_key, day from click_batches where open_day < $1
          and (user_key, day) not in (select * from unnest($2::bigint[], $3::bigint[])) order by open_day limit 1`,
        [beforeDay, except.map(({ userKey }) => userKey), except.map(({ day }) => day)],
      )
      const [oldest] = rows
      return oldest === undefined ? undefined : { userKey: Number(oldest.user_key), day: Number(oldest.day) }
    },
    async openBatches({ userKey, day }) {
      const { rows } = await pool.query<{ id: string }>(
        'select id from click_batches where user_key = $1 and day = $2 and open_day is not null order by id',
        [userKey, day],
      )
      return rows.map(({ id }) => id)
    },
    async merge(openDay, closing, id) {
      await inTransaction(pool, (client) => mergeOpenBatches(client, openDay, closing, id))
    },
    async setAside({ userKey, day }, id, reason) {
      await pool.query(
        `with gone as (delete from click_batches where user_key = $1 and day = $2 and id = $3 returning *)
          insert into set_aside_clicks (user_key, day, id, clicks, reason, data)
          select user_key, day, id, clicks, $4, data from gone`,
        [userKey, day, id, reason],
      )
    },
    async sumWeek() {
      const due = await readDueWeek(pool)
      if (due === undefined) return false
      await sumDueWeek(pool, due, (work) => inTransaction(pool, work))
      return true
    },
    async finish(file, nowMs) {
      await pool.query('update spool_positions set finished_at = $1 where file = $2', [nowMs, file])
      await pool.query('delete from spool_positions where finished_at < $1', [nowMs - FINISHED_KEPT_MS])
    },
    emptyLog() {
      // PostgreSQL does so by itself.
    },
    async salt(dayMs) {
      const made = randomBytes(24).toString('base64url')
      await pool.query('insert into visitor_salts (day, salt) values ($1, $2) on conflict do nothing', [
        dayMs,
        made,
      ])
      const { rows } = await pool.query<{ salt: string }>('select salt from visitor_salts where day = $1', [
        dayMs,
      ])
      return rows[0]?.salt ?? ''
    },
    close: () => pool.end(),
  }
}

/** `undefined` from the work means that nothing is to be kept. */
async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T | undefined>) {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query(result === undefined ? 'rollback' : 'commit')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // After a failure the connection may be in the middle of anything: a new one costs a millisecond.
    client.release(broken)
  }
}
