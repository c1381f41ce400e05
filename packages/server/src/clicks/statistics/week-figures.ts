import type { Database } from '../../storage/db/database.ts'
import { scopeKey } from '../counting/scope-key.ts'
import type { Figures } from './figures.ts'
import { columnOf, type Range, type StatsQuery, usesKnownWeeks, usesWeeks } from './stats-query.ts'
import type { BatchName } from './stored-batches.ts'
import { isWithin, listWeeks, readWeeks, type StoredWeek } from './stored-weeks.ts'
import { isInMemory } from './week-rows.ts'
import { tallyPlan } from './week-tallies.ts'

/** The weeks that can be used for a question. */
export async function weeksFor(
  db: Database,
  query: StatsQuery,
  range: Range,
  batches: readonly BatchName[],
): Promise<StoredWeek[]> {
  if (!usesWeeks(query) && !usesKnownWeeks(query)) return []
  const userKey = scopeKey(query.userId)
  const weeks = await listWeeks(db, userKey, range, batches)
  // Clicks and visitors can be told apart by time, the values of a dimension cannot.
  const whole = columnOf(query.by) === undefined ? weeks : weeks.filter((week) => isWithin(week, range))
  return usesWeeks(query) ? whole : whole.filter((week) => isInMemory(userKey, planned(query, week)))
}

/** A week, and which of its sums a question needs. */
function planned(query: StatsQuery, week: StoredWeek) {
  const plan = tallyPlan(query, week.week)
  const column = columnOf(query.by)
  return { ...week, plan, parts: [...plan.parts, ...(column === undefined ? [] : [column])] }
}

/** False if one of the weeks was added up again meanwhile. */
export function addWeeks(
  db: Database,
  query: StatsQuery,
  weeks: readonly StoredWeek[],
  range: Range,
  figures: Figures,
): Promise<boolean> {
  const column = columnOf(query.by)
  const links = { userId: query.userId, scope: query.scope ?? [] }
  const all = weeks.map((week) => planned(query, week))
  return readWeeks(db, links, all, ({ week, plan }, sums) => {
    let clicks = 0
    plan.add(
      week,
      sums.slice(0, plan.parts.length).map((part) => part.sums),
      (atMs, tally) => {
        if (tally.clicks + tally.bots === 0 || atMs < range.fromMs || atMs >= range.toMs) return
        figures.addTally(atMs, tally)
        clicks += tally.clicks
      },
    )
    const values = sums[plan.parts.length]
    if (values === undefined) return
    // What is not known is what is missing to the clicks; buttons and icons are clicks of their own.
    const unknown = column === 'button' || column === 'icon' ? 0 : clicks - sumOf(values.sums)
    values.texts.forEach((text, value) => {
      const count = values.sums[value] ?? 0
      if (count > 0) figures.addValue(text, count)
    })
    if (unknown > 0) figures.addValue('', unknown)
  })
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0)
