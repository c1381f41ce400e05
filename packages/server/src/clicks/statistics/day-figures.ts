import { DAY_MS, dayOf } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { type Dimension, eachValue, readHours, type Tally } from '../counting/day-texts.ts'
import { ALL_LINKS, scopeKey } from '../counting/scope-key.ts'
import type { Figures } from './figures.ts'
import { inPieces } from './read-ahead.ts'
import { columnOf, MAX_SCOPES, needsHours, needsScan, type Range, type StatsQuery } from './stats-query.ts'
import { nextTurn } from '../../work/turns.ts'

/** Adds what was added up for days that are over. */
export async function addDays(
  db: Database,
  query: StatsQuery,
  range: Range,
  figures: Figures,
  isWanted: (day: number) => boolean,
): Promise<void> {
  // Of many links only the days whose single clicks are gone; a few links at a time, so that others go in between.
  const lastMs = needsScan(query) ? Math.min(query.keptFromMs ?? -Infinity, range.toMs) : range.toMs
  const runs = wantedDays(range.fromMs, lastMs, isWanted)
  if (runs.length === 0) return
  const keys = query.scope === undefined ? [ALL_LINKS] : query.scope.map(scopeKey)
  for (const days of runs)
    for (const some of inPieces(keys, MAX_SCOPES)) {
      const rows = await readDays(db, query, some, days)
      for (const piece of inPieces(rows, ROWS_AT_ONCE)) {
        for (const row of piece) if (isWanted(row.day)) addDay(row, query, range, figures)
        await nextTurn()
      }
    }
}

/** Days with as many values as are kept take a millisecond each. */
const ROWS_AT_ONCE = 20

/** A statement for each would take longer than reading the days in between. */
const MAX_RUNS = 6

/** Days that follow each other: before, between and after the weeks that were added up. */
function wantedDays(fromMs: number, toMs: number, isWanted: (day: number) => boolean): Range[] {
  const runs: { fromMs: number; toMs: number }[] = []
  for (let day = dayOf(fromMs); day < toMs; day += DAY_MS) {
    if (!isWanted(day)) continue
    const last = runs.at(-1)
    if (last?.toMs === day || (last !== undefined && runs.length === MAX_RUNS)) last.toMs = day + DAY_MS
    else runs.push({ fromMs: day, toMs: day + DAY_MS })
  }
  return runs
}

type DayRow = Tally & { readonly day: number; readonly hours?: string; readonly text?: string }

async function readDays(
  db: Database,
  query: StatsQuery,
  keys: readonly number[],
  days: Range,
): Promise<DayRow[]> {
  const column = columnOf(query.by)
  return db.sql
    .selectFrom('click_days')
    .select(['day', 'clicks', 'uniques', 'bots'])
    .$if(needsHours(query), (select) => select.select('hours'))
    .$if(column !== undefined, (select) => select.select(`${column ?? 'hours'} as text`))
    .where('user_key', '=', scopeKey(query.userId))
    .where('scope_key', 'in', keys)
    .where('day', '>=', days.fromMs)
    .where('day', '<', days.toMs)
    .execute()
}

export function addDay(
  { day, hours = '', text = '', ...tally }: DayRow,
  query: StatsQuery,
  range: Range,
  figures: Figures,
): void {
  if (!needsHours(query)) figures.addTally(day, tally)
  else
    for (const hour of readHours(hours, day))
      if (hour.at >= range.fromMs && hour.at < range.toMs) figures.addTally(hour.at, hour)
  const column = columnOf(query.by)
  if (column !== undefined) addValues(figures, column, tally.clicks, text)
}

/** What is not known is what is missing to the clicks; buttons and icons are clicks of their own. */
function addValues(figures: Figures, column: Dimension, clicks: number, text: string): void {
  let unknown = column === 'button' || column === 'icon' ? 0 : clicks
  eachValue(text, (value, count) => {
    figures.addValue(value, count)
    unknown -= count
  })
  if (unknown > 0) figures.addValue('', unknown)
}
