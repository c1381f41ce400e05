import type { PoolClient } from 'pg'
import { addedTo, NO_TEXTS, TEXT_COLUMNS } from '../day-texts.ts'
import type { DayTexts } from '../day-texts.ts'
import { countsOf, tallyOf } from '../rollup.ts'
import type { ScopeDay } from '../rollup.ts'

const TEXTS = TEXT_COLUMNS.join(', ')
const KEYS = '$1::bigint[], $2::bigint[], $3::bigint[]'
const textArrays = (from: number): string => TEXT_COLUMNS.map((_, at) => `$${from + at}::text[]`).join(', ')

/** New days are written as they are; those that were there come back locked, and get their texts in a second step. */
const ADD = `insert into click_days as known (user_key, scope_key, day, clicks, uniques, bots, ${TEXTS})
  select * from unnest(${KEYS}, $4::bigint[], $5::bigint[], $6::bigint[], ${textArrays(7)})
  on conflict (user_key, scope_key, day) do update set clicks = known.clicks + excluded.clicks,
    uniques = known.uniques + excluded.uniques, bots = known.bots + excluded.bots
  returning user_key, scope_key, day, xmax <> 0 as known, ${TEXTS}`

const RENEW = `update click_days d set ${TEXT_COLUMNS.map((column) => `${column} = t.${column}`).join(', ')}
  from unnest(${KEYS}, ${textArrays(4)}) as t (user_key, scope_key, day, ${TEXTS})
  where d.user_key = t.user_key and d.scope_key = t.scope_key and d.day = t.day`

type Returned = DayTexts & { user_key: string; scope_key: string; day: string; known: boolean }

/** In the order of the keys, as on every node: two that want the same rows then never wait for each other. */
export async function addDays(
  client: PoolClient,
  scopeDays: readonly ScopeDay[],
  newVisits: Set<number>,
): Promise<void> {
  const days = scopeDays.map((scopeDay) => ({ ...scopeDay, counts: countsOf(scopeDay, newVisits) }))
  const tallies = days.map(({ counts }) => tallyOf(counts))
  const { rows } = await client.query<Returned>(ADD, [
    ...keysOf(days),
    tallies.map(({ clicks }) => clicks),
    tallies.map(({ uniques }) => uniques),
    tallies.map(({ bots }) => bots),
    ...columnsOf(days.map(({ counts }) => addedTo(NO_TEXTS, counts))),
  ])
  const known = new Map(
    rows.flatMap((row) => (row.known ? [[`${row.user_key} ${row.scope_key} ${row.day}`, row]] : [])),
  )
  const older = days.filter((day) => known.has(nameOf(day)))
  if (older.length === 0) return
  const texts = older.map((day) => addedTo(known.get(nameOf(day)) ?? NO_TEXTS, day.counts))
  await client.query(RENEW, [...keysOf(older), ...columnsOf(texts)])
}

const nameOf = ({ userKey, scopeKey, day }: ScopeDay): string => `${userKey} ${scopeKey} ${day}`

function keysOf(days: readonly ScopeDay[]): number[][] {
  return [
    days.map(({ userKey }) => userKey),
    days.map(({ scopeKey }) => scopeKey),
    days.map(({ day }) => day),
  ]
}

function columnsOf(texts: readonly DayTexts[]): string[][] {
  return TEXT_COLUMNS.map((column) => texts.map((text) => text[column]))
}
