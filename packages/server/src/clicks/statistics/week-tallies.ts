import { DAY_MS } from '../../work/times.ts'
import { QUARTER_MS } from '../batches/dimensions.ts'
import type { Tally } from '../counting/day-texts.ts'
import { type CountPart, QUARTER_PARTS } from '../weeks/week.ts'
import { QUARTERS_OF_A_PART, TALLY_VALUES } from '../weeks/week-sums.ts'
import { needsHours, type StatsQuery, UTC } from './stats-query.ts'
import type { TimeZone } from './time-zone.ts'

type TakeTally = (atMs: number, tally: Tally) => void

/** Which sums of a week tell its clicks as precisely as a question needs them. */
export interface TallyPlan {
  readonly parts: readonly CountPart[]
  /** Takes the sums of these parts, in their order. */
  add(week: number, sums: readonly Float64Array[], take: TakeTally): void
}

const DAYS: TallyPlan = {
  parts: ['days'],
  add(week, [days = NO_SUMS], take) {
    for (let day = 0; day < 7; day++) take(week + day * DAY_MS, tallyAt(days, day))
  },
}

const QUARTERS: TallyPlan = {
  parts: QUARTER_PARTS,
  add(week, parts, take) {
    for (let day = 0; day < 7; day++)
      parts.forEach((sums, part) => {
        for (let n = 0; n < QUARTERS_OF_A_PART; n++)
          take(timeOf(week, day, part * QUARTERS_OF_A_PART + n), tallyAt(sums, day * QUARTERS_OF_A_PART + n))
      })
  },
}

/**
 * Days that begin at the same quarter of an hour of UTC all week: what comes before it, or after it, whichever is in fewer
 * parts, is added up from quarters of an hour; the rest is what is missing to the day.
 */
function splitDays(split: number): TallyPlan {
  const part = split / QUARTERS_OF_A_PART
  const isBefore = Math.ceil(part) <= QUARTER_PARTS.length - Math.floor(part)
  const first = isBefore ? 0 : Math.floor(part)
  const [from, to] = isBefore ? [0, split] : [split, QUARTER_PARTS.length * QUARTERS_OF_A_PART]
  return {
    parts: ['days', ...QUARTER_PARTS.slice(first, isBefore ? Math.ceil(part) : undefined)],
    add(week, [days = NO_SUMS, ...parts], take) {
      for (let day = 0; day < 7; day++) {
        const near = { clicks: 0, uniques: 0, bots: 0 }
        for (let quarter = from; quarter < to; quarter++) {
          const at = quarter - first * QUARTERS_OF_A_PART
          const sums = parts[Math.floor(at / QUARTERS_OF_A_PART)] ?? NO_SUMS
          const tally = tallyAt(sums, day * QUARTERS_OF_A_PART + (at % QUARTERS_OF_A_PART))
          near.clicks += tally.clicks
          near.uniques += tally.uniques
          near.bots += tally.bots
        }
        const all = tallyAt(days, day)
        const rest = {
          clicks: all.clicks - near.clicks,
          uniques: all.uniques - near.uniques,
          bots: all.bots - near.bots,
        }
        take(timeOf(week, day, 0), isBefore ? near : rest)
        take(timeOf(week, day, split), isBefore ? rest : near)
      }
    },
  }
}

const NO_SUMS = new Float64Array()

function tallyAt(sums: Float64Array, slot: number): Tally {
  const at = slot * TALLY_VALUES
  const [uniques = 0, others = 0, bots = 0] = [sums[at], sums[at + 1], sums[at + 2]]
  return { clicks: uniques + others, uniques, bots }
}

const timeOf = (week: number, day: number, quarter: number): number =>
  week + day * DAY_MS + quarter * QUARTER_MS

export function tallyPlan(query: StatsQuery, week: number): TallyPlan {
  if (!needsHours(query)) return DAYS
  if (query.interval === 'hour' || query.by === 'hour_of_week') return QUARTERS
  const split = splitOf(query.zone ?? UTC, week)
  return split === undefined ? QUARTERS : split === 0 ? DAYS : splitDays(split)
}

/** The quarter of an hour at which the zone's days begin, if it is the same on all days of the week. */
function splitOf(zone: TimeZone, week: number): number | undefined {
  const splits = new Set<number>()
  for (let day = week; day < week + 7 * DAY_MS; day += DAY_MS) {
    const last = zone.startOf(day + DAY_MS - 1, 'day')
    // Two days of the zone begin on this one.
    if (last > day && zone.startOf(last - 1, 'day') > day) return undefined
    splits.add(Math.max(0, Math.ceil((last - day) / QUARTER_MS)))
  }
  const [split] = splits
  return splits.size === 1 ? split : undefined
}
