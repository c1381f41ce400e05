import { countedDimensions } from '@waymark/contract'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import { type FilterField, scanBatch, type ScanQuery } from '../batches/batch-scan.ts'
import { subsetCounts } from '../batches/subset-counts.ts'
import { type Dimension, readHours, readValues, type Tally } from '../counting/day-texts.ts'
import { ALL_LINKS, scopeKey } from '../counting/scope-key.ts'
import { Figures } from './figures.ts'
import { type BatchName, listBatches, readBatches } from './stored-batches.ts'
import { cacheOf } from './subset-cache.ts'
import { type Interval, openTimeZone, type TimeZone } from './time-zone.ts'
import { dayOf } from '../../runtime/times.ts'

export type Breakdown = Dimension | 'hour_of_week'

export interface StatsQuery {
  readonly userId: string
  /** Links and pages; undefined: all links of the user. */
  readonly scope: readonly string[] | undefined
  /** From this moment's hour or day … */
  readonly fromMs: number
  /** … to this moment's, which is included. */
  readonly toMs: number
  readonly interval: Interval
  readonly by: Breakdown | undefined
  readonly zone?: TimeZone
  readonly filters?: ReadonlyMap<FilterField, ReadonlySet<string>>
  readonly bot?: boolean | undefined
  /** Single clicks are there from this moment on. */
  readonly keptFromMs?: number
}

export interface Stats {
  /** Every point of the range, empty ones too. */
  readonly series: readonly (Tally & { readonly atMs: number })[]
  /** Visitors of each day, added up: who comes again the next day is counted again. */
  readonly totals: Tally
  /** Largest first; '' is what is not known. */
  readonly breakdown: readonly { readonly value: string; readonly clicks: number }[]
}

const UTC = openTimeZone('UTC')
const NO_FILTERS: ReadonlyMap<FilterField, ReadonlySet<string>> = new Map()
/** Past this, going through the clicks themselves is quicker than adding up the days of each link. */
const MAX_SCOPES = 50
const TRIES = 5

interface Range {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

/** Whether many single clicks have to be gone through. */
export function needsScan(query: StatsQuery): boolean {
  return isFiltered(query) || (query.scope?.length ?? 0) > MAX_SCOPES
}

function isFiltered({ filters = NO_FILTERS, bot }: StatsQuery): boolean {
  return filters.size > 0 || bot !== undefined
}

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
  const scan: ScanQuery = {
    resourceUuids: query.scope === undefined ? undefined : new Set(query.scope),
    filters: query.filters ?? NO_FILTERS,
    bot,
    by: by === 'hour_of_week' ? undefined : by,
    ...range,
  }
  const isScanned = scannedDays(query, range)
  // In this order: a batch that is added up in between is missing when it is to be read.
  const stored = await listBatches(db, scopeKey(query.userId), range)
  const batches = stored.filter(({ day, open_day }) => open_day !== null || isScanned(day))
  if (!isFiltered(query)) await addDays(db, query, range, figures, isScanned)
  const isCached = cachedBatches(query, range)
  const cached = batches.filter(isCached)
  if (!(await addSubsets(db, query, cached, range, figures))) return undefined
  const scanned = batches.filter((batch) => !isCached(batch))
  if (!(await scanBatches(db, query, scanned, scan, figures))) return undefined
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

async function addDays(
  db: Database,
  query: StatsQuery,
  range: Range,
  figures: Figures,
  isScanned: (day: number) => boolean,
): Promise<void> {
  const keys = query.scope === undefined ? [ALL_LINKS] : query.scope.map(scopeKey)
  // Of many links only the days whose single clicks are gone; a few links at a time, so that others go in between.
  const lastMs = needsScan(query) ? Math.min(query.keptFromMs ?? -Infinity, range.toMs) : range.toMs
  if (lastMs <= range.fromMs) return
  const days = { fromMs: dayOf(range.fromMs), toMs: lastMs }
  for (let at = 0; at < keys.length; at += MAX_SCOPES) {
    const some = keys.slice(at, at + MAX_SCOPES)
    const rows = await readDays(db, query, some, days)
    for (const row of rows) if (!isScanned(row.day)) addDay(row, query, range, figures)
    await nextTurn()
  }
}

type DayRow = Tally & { readonly day: number; readonly hours?: string; readonly text?: string }

const columnOf = (by: Breakdown | undefined) => countedDimensions.find((dimension) => dimension === by)

const needsHours = ({ interval, by, zone = UTC }: StatsQuery): boolean =>
  interval === 'hour' || by === 'hour_of_week' || zone.name !== 'UTC'

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

function addDay(
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
  for (const [value, count] of readValues(text)) {
    figures.addValue(value, count)
    unknown -= count
  }
  if (unknown > 0) figures.addValue('', unknown)
}

/** Batches of closed days are added up for many links at once, and the sums kept for the next question about them. */
function cachedBatches(query: StatsQuery, range: Range): (batch: BatchName) => boolean {
  if (isFiltered(query) || !needsScan(query)) return () => false
  const isPartial = partialDays(range, -Infinity)
  return ({ day, open_day }) => open_day === null && !isPartial(day)
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
function scanBatches(
  db: Database,
  { userId }: StatsQuery,
  batches: readonly BatchName[],
  scan: ScanQuery,
  figures: Figures,
): Promise<boolean> {
  return readBatches(db, scopeKey(userId), batches, (batch, { day }) => scanBatch(batch, day, scan, figures))
}
