import type { Pool, PoolClient } from 'pg'
import { copyOut, copyText } from '../../../storage/db/copy-out.ts'
import {
  type ClosedBatch,
  type CountedDay,
  type DueSums,
  isWorthSumming,
  NO_SUMS,
  sumsOfDue,
} from '../../weeks/due-week.ts'
import { seasonOf, WEEK_MS, weekOf } from '../../weeks/week.ts'
import { ALL_LINKS } from '../scope-key.ts'

interface DueWeek {
  readonly userKey: number
  readonly week: number
}

/** Inside the transaction that closes a day. The row stays locked, so that the week is not added up without that day. */
export async function noteDueWeek(client: PoolClient, userKey: number, day: number): Promise<void> {
  await client.query(
    `insert into due_weeks (user_key, week) values ($1, $2)
      on conflict (user_key, week) do update set week = excluded.week`,
    [userKey, weekOf(day)],
  )
}

export async function readDueWeek(pool: Pool): Promise<DueWeek | undefined> {
  const { rows } = await pool.query<{ user_key: string; week: string }>(
    'select user_key, week from due_weeks limit 1',
  )
  const [due] = rows
  return due === undefined ? undefined : { userKey: Number(due.user_key), week: Number(due.week) }
}

type InTransaction = <T>(work: (client: PoolClient) => Promise<T | undefined>) => Promise<T | undefined>

/** Adding up is done before the transaction, which then holds its locks for a moment only. */
export async function sumDueWeek(pool: Pool, due: DueWeek, inTransaction: InTransaction): Promise<void> {
  const clicks = await closedClicks(pool, due)
  const keys = await readKeys(pool, due)
  let sums = NO_SUMS
  try {
    if (isWorthSumming(clicks)) {
      const closed = await inTransaction((client) => readClosed(client, due))
      sums = sumsOfDue(due.week, closed ?? [], await readCounted(pool, due), keys)
    }
  } finally {
    // One that cannot be read must not keep all others waiting: it stays without sums.
    await inTransaction((client) => replaceRows(client, due, { clicks, keyBytes: keys.length }, sums))
  }
}

/** What the sums were made from. */
interface Seen {
  readonly clicks: number
  readonly keyBytes: number
}

/**
 * Nothing is kept if a batch was closed or a link got its number meanwhile, another node was first, or the account is
 * gone.
 */
async function replaceRows(
  client: PoolClient,
  due: DueWeek,
  seen: Seen,
  { rows, seasonKeys }: DueSums,
): Promise<true | undefined> {
  const { userKey, week } = due
  const removed = await client.query('delete from due_weeks where user_key = $1 and week = $2', [
    userKey,
    week,
  ])
  if (removed.rowCount === 0 || (await closedClicks(client, due)) !== seen.clicks) return undefined
  if (seasonKeys !== undefined && !(await putKeys(client, due, seen, seasonKeys))) return undefined
  await client.query('delete from click_weeks where user_key = $1 and week = $2', [userKey, week])
  for (const { part, data } of rows)
    await client.query('insert into click_weeks (user_key, week, part, data) values ($1, $2, $3, $4)', [
      userKey,
      week,
      part,
      data,
    ])
  return true
}

async function readKeys(pool: Pool, { userKey, week }: DueWeek): Promise<Uint8Array> {
  const { rows } = await pool.query<{ keys: Uint8Array }>(
    'select keys from season_links where user_key = $1 and season = $2',
    [userKey, seasonOf(week)],
  )
  return rows[0]?.keys ?? new Uint8Array()
}

/** False if another week of the season added keys meanwhile. */
async function putKeys(
  client: PoolClient,
  { userKey, week }: DueWeek,
  { keyBytes }: Seen,
  keys: Uint8Array,
): Promise<boolean> {
  const { rowCount } = await client.query(
    `insert into season_links (user_key, season, keys) values ($1, $2, $3)
      on conflict (user_key, season) do update set keys = excluded.keys where length(season_links.keys) = $4`,
    [userKey, seasonOf(week), keys, keyBytes],
  )
  return rowCount === 1
}

async function closedClicks(client: Pool | PoolClient, { userKey, week }: DueWeek): Promise<number> {
  const { rows } = await client.query<{ clicks: string | null }>(
    `select sum(clicks) as clicks from click_batches
      where user_key = $1 and day >= $2 and day < $3 and open_day is null`,
    [userKey, week, week + WEEK_MS],
  )
  return Number(rows[0]?.clicks ?? 0)
}

async function readClosed(client: PoolClient, { userKey, week }: DueWeek): Promise<ClosedBatch[]> {
  const { rows } = await copyOut(
    client,
    copyText(`select day || ' ' || id, data from click_batches
      where user_key = ${userKey} and day >= ${week} and day < ${week + WEEK_MS} and open_day is null
      order by day, id`),
  )
  return rows.map(({ id: name, data }) => {
    const [day, id = ''] = name.split(' ')
    return { day: Number(day), id, data }
  })
}

async function readCounted(pool: Pool, { userKey, week }: DueWeek): Promise<CountedDay[]> {
  const { rows } = await pool.query<Record<keyof CountedDay, string>>(
    `select day, clicks, bots from click_days
      where user_key = $1 and scope_key = $2 and day >= $3 and day < $4`,
    [userKey, ALL_LINKS, week, week + WEEK_MS],
  )
  return rows.map(({ day, clicks, bots }) => ({
    day: Number(day),
    clicks: Number(clicks),
    bots: Number(bots),
  }))
}
