import type { Database } from '../../storage/db/database.ts'
import { addTally, readHours, readValues } from '../counting/day-texts.ts'
import type { Dimension, Tally } from '../counting/day-texts.ts'
import { dayOf, hourOf } from '../counting/enrich.ts'
import { DAY_MS, HOUR_MS } from '../../runtime/times.ts'
import { monthOf, nextMonth } from '../counting/postgres/partitions.ts'
import { ALL_LINKS, scopeKey } from '../counting/scope-key.ts'

export type Interval = 'hour' | 'day' | 'week' | 'month'
export type Breakdown = Dimension

export interface StatsQuery {
  readonly userId: string
  /** A link or page; undefined: all links of the user. */
  readonly scope: string | undefined
  /** From this moment's hour or day … */
  readonly fromMs: number
  /** … to this moment's, which is included. */
  readonly toMs: number
  readonly interval: Interval
  readonly by: Breakdown | undefined
}

export interface Figures {
  readonly clicks: number
  /** Visitors of each day, added up: who comes again the next day is counted again. */
  readonly uniques: number
  readonly bots: number
}

export interface Stats {
  /** Every bucket of the range, empty ones too. */
  readonly series: readonly (Figures & { readonly atMs: number })[]
  readonly totals: Figures
  /** Largest first; whole days; '' is what is not known. */
  readonly breakdown: readonly { readonly value: string; readonly clicks: number }[]
}

const MAX_VALUES = 100
const WEEK_MS = 7 * DAY_MS
/** 1 January 1970 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** Reads rollups alone: how many clicks there were makes no difference. */
export async function readStats(db: Database, query: StatsQuery): Promise<Stats> {
  const buckets = emptyBuckets(query)
  for (const row of await countRows(db, query)) {
    const bucket = buckets.get(bucketOf(row.at, query.interval))
    if (bucket !== undefined) addTally(bucket, row)
  }
  const series = [...buckets].map(([atMs, figures]) => ({ atMs, ...figures }))
  const totals = { clicks: 0, uniques: 0, bots: 0 }
  for (const bucket of series) addTally(totals, bucket)
  return { series, totals, breakdown: await readBreakdown(db, query) }
}

async function countRows(db: Database, query: StatsQuery): Promise<(Figures & { readonly at: number })[]> {
  if (query.interval !== 'hour')
    return daysOf(db, query).select(['day as at', 'clicks', 'uniques', 'bots']).execute()
  const days = await daysOf(db, query).select(['day', 'hours']).execute()
  const fromMs = hourOf(query.fromMs)
  return days
    .flatMap(({ day, hours }) => readHours(hours, day))
    .filter(({ at }) => at >= fromMs && at <= query.toMs)
}

async function readBreakdown(db: Database, query: StatsQuery): Promise<Stats['breakdown']> {
  const { by } = query
  if (by === undefined) return []
  const sums = new Map<string, number>()
  for (const { text } of await daysOf(db, query).select(`${by} as text`).execute()) {
    for (const [value, clicks] of readValues(text)) sums.set(value, (sums.get(value) ?? 0) + clicks)
  }
  return [...sums]
    .map(([value, clicks]) => ({ value, clicks }))
    .sort((a, b) => b.clicks - a.clicks || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_VALUES)
}

function daysOf(db: Database, { userId, scope, fromMs, toMs }: StatsQuery) {
  return db.sql
    .selectFrom('click_days')
    .where('user_key', '=', scopeKey(userId))
    .where('scope_key', '=', scope === undefined ? ALL_LINKS : scopeKey(scope))
    .where('day', '>=', dayOf(fromMs))
    .where('day', '<=', toMs)
}

function emptyBuckets({ fromMs, toMs, interval }: StatsQuery): Map<number, Tally> {
  const buckets = new Map<number, Tally>()
  for (let at = bucketOf(fromMs, interval); at <= toMs; at = nextBucket(at, interval)) {
    buckets.set(at, { clicks: 0, uniques: 0, bots: 0 })
  }
  return buckets
}

/** First millisecond of the bucket a moment is in, UTC; weeks begin on Monday. */
export function bucketOf(atMs: number, interval: Interval): number {
  if (interval === 'hour') return hourOf(atMs)
  if (interval === 'day') return dayOf(atMs)
  if (interval === 'month') return monthOf(atMs)
  return Math.floor((atMs - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS
}

function nextBucket(atMs: number, interval: Interval): number {
  if (interval === 'month') return nextMonth(atMs)
  return atMs + { hour: HOUR_MS, day: DAY_MS, week: WEEK_MS }[interval]
}
