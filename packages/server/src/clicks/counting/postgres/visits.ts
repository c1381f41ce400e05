import type { Pool, PoolClient } from 'pg'
import {
  daysOfVisits,
  type LoggedDay,
  type LoggedVisits,
  MOST_MERGED_ROWS,
  packVisits,
  SMALL_ROW_VISITS,
  type VisitLog,
} from '../visit-log.ts'

/** The number of the lock that the one node holds which is adding visits. */
const VISITS_LOCK = 0x77_61_79_01

const ADD = `insert into visit_log (day, sequence, visits, data)
  select $1, coalesce(max(sequence), 0) + 1, $2, $3 from visit_log where day = $1 returning sequence`

/** Reads what was added to the log since it was last read. */
export async function readLog(db: Pool | PoolClient, log: VisitLog, days: readonly number[]): Promise<void> {
  for (const day of days) {
    const { rows } = await db.query<{ sequence: string; data: Uint8Array }>(
      'select sequence, data from visit_log where day = $1 and sequence > $2 order by sequence',
      [day, log.sequenceOf(day)],
    )
    log.read(
      day,
      rows.map(({ sequence, data }): LoggedVisits => ({ sequence: Number(sequence), data })),
    )
  }
}

export interface AddedVisits {
  /** Those that were not there before. */
  readonly ids: readonly number[]
  /** To be noted when the transaction is committed. */
  readonly logged: readonly LoggedDay[]
}

/** Inside a transaction; other nodes wait for its end. */
export async function addVisits(
  client: PoolClient,
  log: VisitLog,
  visits: Float64Array,
): Promise<AddedVisits> {
  const added: number[] = []
  const logged: LoggedDay[] = []
  if (visits.length === 0) return { ids: added, logged }
  await lockLog(client)
  await readLog(client, log, daysOfVisits(visits))
  for (const { day, ids } of log.unseen(visits)) {
    const isFull = log.isFull(day)
    for (const id of isFull ? await addToTable(client, ids) : ids) added.push(id)
    if (!isFull) logged.push({ day, ids, sequence: await addToLog(client, day, ids.length, packVisits(ids)) })
  }
  return { ids: added, logged }
}

/** Makes one row of many small ones, inside a transaction. */
export async function mergeLogged(client: PoolClient, day: number): Promise<true> {
  await lockLog(client)
  const { rows } = await client.query<{ sequence: string; visits: string; data: Uint8Array }>(
    'select sequence, visits, data from visit_log where day = $1 and visits < $2 order by sequence limit $3',
    [day, SMALL_ROW_VISITS, MOST_MERGED_ROWS],
  )
  const visits = rows.reduce((sum, row) => sum + Number(row.visits), 0)
  // First, so that it gets a number that no reader has seen yet.
  await addToLog(client, day, visits, Buffer.concat(rows.map(({ data }) => data)))
  await client.query('delete from visit_log where day = $1 and sequence = any($2::bigint[])', [
    day,
    rows.map(({ sequence }) => sequence),
  ])
  return true
}

async function lockLog(client: PoolClient): Promise<void> {
  await client.query(`select pg_advisory_xact_lock(${VISITS_LOCK})`)
}

async function addToLog(client: PoolClient, day: number, visits: number, data: Buffer): Promise<number> {
  const { rows } = await client.query<{ sequence: string }>(ADD, [day, visits, data])
  return Number(rows[0]?.sequence)
}

/**
 * Returns those that were not there before. No other process can add what is just looked for, so the insert needs no
 * `on conflict`, which nearly doubles its cost.
 */
async function addToTable(client: PoolClient, ids: readonly number[]): Promise<number[]> {
  const { rows } = await client.query<{ ids: string | null }>(
    `with added as (insert into visits (id)
        select id from unnest($1::bigint[]) as t (id) where not exists (select from visits v where v.id = t.id)
        returning id)
      select string_agg(id::text, ',') as ids from added`,
    // One text each way: an array is quoted number by number, and a row for each number is an object here.
    [`{${Float64Array.from(ids).sort().join(',')}}`],
  )
  return rows[0]?.ids?.split(',').map(Number) ?? []
}
