import type { Database } from '../../storage/db/database.ts'
import { scanBatch, type ScanQuery } from '../batches/batch-scan.ts'
import { subsetCounts } from '../batches/subset-counts.ts'
import type { Tally } from '../counting/day-texts.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { addDay, addDays } from './day-figures.ts'
import { Figures } from './figures.ts'
import {
  columnOf,
  isFiltered,
  needsScan,
  NO_FILTERS,
  type Range,
  type StatsQuery,
  UTC,
} from './stats-query.ts'
import { type BatchName, listBatches, readBatches } from './stored-batches.ts'
import { cacheOf } from './subset-cache.ts'
import { addWeeks, weeksFor } from './week-figures.ts'
import { dayOf } from '../../work/times.ts'

export interface Stats {
  /** Every point of the range, empty ones too. */
  readonly series: readonly (Tally & { readonly atMs: number })[]
  /** Visitors of each day, added up: who comes again the next day is counted again. */
  readonly totals: Tally
  /** Largest first; '' is what is not known. */
  readonly breakdown: readonly { readonly value: string; readonly clicks: number }[]
}

const TRIES = 5
/** Going through so few takes milliseconds; adding them up by everything takes longer. */
const FEW_BATCHES = 14

/** Days that are over come from what was added up for them; the clicks themselves tell the rest. */
export async function readStats(db: Database, query: StatsQuery): Promise<Stats> {
  for (let attempt = 1; ; attempt++) {
    const stats = await tryReadStats(db, query)
    if (stats !== undefined) return stats
    if (attempt === TRIES) throw new Error('Batches of clicks are merged more quickly than they are read')
  }
}

/** `undefined`: batches were merged meanwhile, so that clicks would be missing. */
async function tryReadStats(db: Database, query: StatsQuery): Promise<Stats | undefined> {
  const { zone = UTC, interval, by, bot } = query
  const unit = interval === 'hour' ? 'hour' : 'day'
  const range = { fromMs: zone.startOf(query.fromMs, unit), toMs: zone.endOf(query.toMs, unit) }
  const byHourOfWeek = by !== 'hour_of_week' ? undefined : bot === true ? 'bots' : 'clicks'
  const figures = new Figures(zone, interval, range, byHourOfWeek)
  // In this order: a batch that is added up in between is missing when it is to be read.
  const stored = await listBatches(db, scopeKey(query.userId), range)
  const weeks = await weeksFor(db, query, range, stored)
  const inWeeks = new Set(weeks.flatMap(({ days }) => days))
  const isScanned = scannedDays(query, range)
  const batches = stored.filter(
    ({ day, open_day }) => open_day !== null || (isScanned(day) && !inWeeks.has(day)),
  )
  if (!isFiltered(query))
    await addDays(db, query, range, figures, (day) => !isScanned(day) && !inWeeks.has(day))
  if (!(await addWeeks(db, query, weeks, range, figures))) return undefined
  const cached = cachedBatches(query, range, batches)
  if (!(await addSubsets(db, query, [...cached], range, figures))) return undefined
  const scanned = batches.filter((batch) => !cached.has(batch))
  if (!(await scanBatches(db, query, scanned, range, figures))) return undefined
  const { series, totals, breakdown } = figures
  return { series, totals, breakdown }
}

/** Days whose single clicks are gone through, open ones aside. */
function scannedDays(query: StatsQuery, range: Range): (day: number) => boolean {
  if (isFiltered(query)) return () => true
  const { keptFromMs = -Infinity } = query
  return needsScan(query) ? (day) => day >= keptFromMs : partialDays(range, keptFromMs)
}

/** Days that only a part of belongs to the range: what was added up for them is too much. */
function partialDays({ fromMs, toMs }: Range, keptFromMs: number): (day: number) => boolean {
  const partial = new Set(
    [fromMs, toMs].filter((at) => at !== dayOf(at) && dayOf(at) >= keptFromMs).map(dayOf),
  )
  return (day) => partial.has(day)
}

/** Batches of closed days are added up for many links at once, and the sums kept for the next question about them. */
function cachedBatches(query: StatsQuery, range: Range, batches: readonly BatchName[]): Set<BatchName> {
  if (isFiltered(query) || !needsScan(query)) return new Set()
  const isPartial = partialDays(range, -Infinity)
  const whole = batches.filter(({ day, open_day }) => open_day === null && !isPartial(day))
  return new Set(whole.length > FEW_BATCHES ? whole : [])
}

/** False if one of the batches is no longer there. */
async function addSubsets(
  db: Database,
  query: StatsQuery,
  batches: readonly BatchName[],
  range: Range,
  figures: Figures,
): Promise<boolean> {
  const { userId, scope = [], by } = query
  if (batches.length === 0) return true
  const cache = cacheOf(scopeKey(userId), scope)
  const resourceUuids = new Set(scope)
  // Kept here as well: the cache is bounded, and may drop one before it is used.
  const known = new Map(batches.map(({ id }) => [id, cache.get(id)]))
  const missing = batches.filter(({ id }) => known.get(id) === undefined)
  const isWhole = await readBatches(db, scopeKey(userId), missing, (batch, { day, id }) => {
    const counts = subsetCounts(batch, day, resourceUuids)
    cache.set(id, counts)
    known.set(id, counts)
  })
  const column = columnOf(by)
  for (const { day, id } of batches) {
    const counts = known.get(id)
    if (counts === undefined) continue
    addDay({ day, ...counts, text: column === undefined ? '' : counts[column] }, query, range, figures)
  }
  return isWhole
}

/** False if one of them is no longer there. */
async function scanBatches(
  db: Database,
  { userId, scope, filters = NO_FILTERS, bot, by }: StatsQuery,
  batches: readonly BatchName[],
  range: Range,
  figures: Figures,
): Promise<boolean> {
  // A set of many links takes longer to make than weeks take to read.
  if (batches.length === 0) return true
  const scan: ScanQuery = {
    resourceUuids: scope === undefined ? undefined : new Set(scope),
    filters,
    bot,
    by: by === 'hour_of_week' ? undefined : by,
    ...range,
  }
  return readBatches(db, scopeKey(userId), batches, (batch, { day }) => scanBatch(batch, day, scan, figures))
}
