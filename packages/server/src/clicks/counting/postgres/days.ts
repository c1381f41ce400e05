import type { PoolClient } from 'pg'
import type { ScopeCounts } from '../../batches/day-counts.ts'
import { addedTo, NO_TEXTS, tallyOf, TEXT_COLUMNS } from '../day-texts.ts'
import type { DayTexts } from '../day-texts.ts'

const TEXTS = TEXT_COLUMNS.join(', ')
const KEYS = '$1::bigint[], $2::bigint[], $3::bigint[]'
const textArrays = (from: number): string => TEXT_COLUMNS.map((_, at) => `$${from + at}::text[]`).join(', ')

/** New days are written as they are; those that were there come back locked, and get their texts in a second step. */
const ADD = `insert into click_days as known (user_key, scope_key, day, clicks, uniques, bots, ${TEXTS})
  select * from unnest(${KEYS}, $4::bigint[], $5::bigint[], $6::bigint[], ${textArrays(7)})
  on conflict (user_key, scope_key, day) do update set clicks = known.clicks + excluded.clicks,
    uniques = known.uniques + excluded.uniques, bots = known.bots + excluded.bots
  returning scope_key, xmax <> 0 as known, ${TEXTS}`

const RENEW = `update click_days d set ${TEXT_COLUMNS.map((column) => `${column} = t.${column}`).join(', ')}
  from unnest(${KEYS}, ${textArrays(4)}) as t (user_key, scope_key, day, ${TEXTS})
  where d.user_key = t.user_key and d.scope_key = t.scope_key and d.day = t.day`

type Returned = DayTexts & { scope_key: string; known: boolean }

/** In the order of the keys, as on every node: two that want the same rows then never wait for each other. */
export async function addDays(
  client: PoolClient,
  userKey: number,
  counts: readonly ScopeCounts[],
): Promise<void> {
  const days = counts.toSorted((a, b) => a.scopeKey - b.scopeKey)
  const tallies = days.map(tallyOf)
  const { rows } = await client.query<Returned>(ADD, [
    ...keysOf(userKey, days),
    tallies.map(({ clicks }) => clicks),
    tallies.map(({ uniques }) => uniques),
    tallies.map(({ bots }) => bots),
    ...columnsOf(days.map((day) => addedTo(NO_TEXTS, day))),
  ])
  const known = new Map(rows.flatMap((row) => (row.known ? [[Number(row.scope_key), row]] : [])))
  const older = days.filter(({ scopeKey }) => known.has(scopeKey))
  if (older.length === 0) return
  const texts = older.map((day) => addedTo(known.get(day.scopeKey) ?? NO_TEXTS, day))
  await client.query(RENEW, [...keysOf(userKey, older), ...columnsOf(texts)])
}

function keysOf(userKey: number, days: readonly ScopeCounts[]): number[][] {
  return [days.map(() => userKey), days.map(({ scopeKey }) => scopeKey), days.map(({ day }) => day)]
}

function columnsOf(texts: readonly DayTexts[]): string[][] {
  return TEXT_COLUMNS.map((column) => texts.map((text) => text[column]))
}
