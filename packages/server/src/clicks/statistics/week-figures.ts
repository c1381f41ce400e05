import type { Database } from '../../storage/db/database.ts'
import { scopeKey } from '../counting/scope-key.ts'
import type { Figures } from './figures.ts'
import { columnOf, type Range, type StatsQuery, usesWeeks } from './stats-query.ts'
import type { BatchName } from './stored-batches.ts'
import { isWithin, listWeeks, readWeeks, type StoredWeek } from './stored-weeks.ts'
import { tallyPlan } from './week-tallies.ts'

/** The weeks that can be used for a question. */
export async function weeksFor(
  db: Database,
  query: StatsQuery,
  range: Range,
  batches: readonly BatchName[],
): Promise<StoredWeek[]> {
  if (!usesWeeks(query)) return []
  const weeks = await listWeeks(db, scopeKey(query.userId), range, batches)
  // Clicks and visitors can be told apart by time, the values of a dimension cannot.
  return columnOf(query.by) === undefined ? weeks : weeks.filter((week) => isWithin(week, range))
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
  const planned = weeks.map((week) => {
    const plan = tallyPlan(query, week.week)
    return { ...week, plan, parts: [...plan.parts, ...(column === undefined ? [] : [column])] }
  })
  return readWeeks(db, links, planned, ({ week, plan }, sums) => {
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
