import { sql } from 'kysely'
import type { Database } from '../platform/db/database.ts'
import { DAY_MS, dayOf, HOUR_MS, hourOf } from './enrich.ts'
import { monthOf, nextMonth } from './partitions.ts'
import { ALL_LINKS, scopeKey } from './scope-key.ts'

export type Interval = 'hour' | 'day' | 'week' | 'month'
export type Breakdown = 'country' | 'referrer' | 'device' | 'browser' | 'system' | 'button' | 'icon'

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
    if (bucket !== undefined) addTo(bucket, row)
  }
  const series = [...buckets].map(([atMs, figures]) => ({ atMs, ...figures }))
  const totals = { clicks: 0, uniques: 0, bots: 0 }
  for (const bucket of series) addTo(totals, bucket)
  return { series, totals, breakdown: await readBreakdown(db, query) }
}

function countRows(db: Database, { userId, scope, fromMs, toMs, interval }: StatsQuery) {
  const hourly = interval === 'hour'
  return db.sql
    .selectFrom('click_counts')
    .select(['at', 'clicks', 'uniques', 'bots'])
    .where('user_key', '=', scopeKey(userId))
    .where('scope_key', '=', scope === undefined ? ALL_LINKS : scopeKey(scope))
    .where('series', '=', hourly ? 'hour' : 'day')
    .where('at', '>=', hourly ? hourOf(fromMs) : dayOf(fromMs))
    .where('at', '<=', toMs)
    .execute()
}

function readBreakdown(db: Database, { userId, scope, fromMs, toMs, by }: StatsQuery) {
  if (by === undefined) return Promise.resolve([])
  return db.sql
    .selectFrom('click_counts')
    .select(['value', sql<number>`sum(clicks)`.as('clicks')])
    .where('user_key', '=', scopeKey(userId))
    .where('scope_key', '=', scope === undefined ? ALL_LINKS : scopeKey(scope))
    .where('series', '=', by)
    .where('at', '>=', dayOf(fromMs))
    .where('at', '<=', toMs)
    .groupBy('value')
    .orderBy(sql`sum(clicks)`, 'desc')
    .orderBy('value')
    .limit(MAX_VALUES)
    .execute()
}

type Mutable = { -readonly [K in keyof Figures]: Figures[K] }

function addTo(figures: Mutable, more: Figures): void {
  figures.clicks += more.clicks
  figures.uniques += more.uniques
  figures.bots += more.bots
}

function emptyBuckets({ fromMs, toMs, interval }: StatsQuery): Map<number, Mutable> {
  const buckets = new Map<number, Mutable>()
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
