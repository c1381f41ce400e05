import { DAY_MS } from '../../runtime/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { QUARTER_MS } from '../batches/dimensions.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { TALLY_VALUES } from '../weeks/week-sums.ts'
import type { Figures } from './figures.ts'
import { columnOf, needsHours, type Range, type StatsQuery, usesWeeks } from './stats-query.ts'
import type { BatchName } from './stored-batches.ts'
import { isWithin, listWeeks, type PartSums, readWeeks, type StoredWeek } from './stored-weeks.ts'

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
  const byQuarter = needsHours(query)
  const links = { userId: query.userId, scope: query.scope ?? [] }
  const parts = [
    byQuarter ? ('hours' as const) : ('days' as const),
    ...(column === undefined ? [] : [column]),
  ]
  return readWeeks(db, links, weeks, parts, ({ week }, [tallies, values]) => {
    const clicks = addTallies(figures, range, week, byQuarter ? QUARTER_MS : DAY_MS, tallies)
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

/** Returns how many clicks there were. */
function addTallies(
  figures: Figures,
  { fromMs, toMs }: Range,
  week: number,
  slotMs: number,
  tallies: PartSums | undefined,
): number {
  const sums = tallies?.sums ?? new Float64Array()
  let all = 0
  for (let at = 0; at < sums.length; at += TALLY_VALUES) {
    const [uniques = 0, others = 0, bots = 0] = [sums[at], sums[at + 1], sums[at + 2]]
    const clicks = uniques + others
    const atMs = week + (at / TALLY_VALUES) * slotMs
    if (clicks + bots === 0 || atMs < fromMs || atMs >= toMs) continue
    figures.addTally(atMs, { clicks, uniques, bots })
    all += clicks
  }
  return all
}

const sumOf = (numbers: Float64Array): number => numbers.reduce((sum, number) => sum + number, 0)
