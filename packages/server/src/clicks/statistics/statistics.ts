import { sql } from 'kysely'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import type { ClickBatchRow } from '../../storage/db/tables.ts'
import { unpackBatch } from '../batches/batch.ts'
import { type FilterField, scanBatch, type ScanQuery } from '../batches/batch-scan.ts'
import { DIMENSIONS, type Dimension, readHours, readValues, type Tally } from '../counting/day-texts.ts'
import { dayOf } from '../counting/enrich.ts'
import { ALL_LINKS, scopeKey } from '../counting/scope-key.ts'
import { Figures } from './figures.ts'
import { type Interval, openTimeZone, type TimeZone } from './time-zone.ts'

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
const MAX_SCOPES = 300
const BATCHES_AT_ONCE = 8
const TRIES = 5

interface Range {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

/** Whether the clicks themselves have to be gone through. */
export function needsScan({ filters = NO_FILTERS, bot, scope }: StatsQuery): boolean {
  return filters.size > 0 || bot !== undefined || (scope?.length ?? 0) > MAX_SCOPES
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
    subjects: query.scope === undefined ? undefined : new Set(query.scope),
    filters: query.filters ?? NO_FILTERS,
    bot,
    by: by === 'hour_of_week' ? undefined : by,
    ...range,
  }
  const isScanned = needsScan(query) ? () => true : partialDays(range, query.keptFromMs)
  // In this order: a batch that is added up in between is missing when it is to be read.
  const batches = await listBatches(db, query, range, isScanned)
  if (!needsScan(query)) await addDays(db, query, range, figures, isScanned)
  if (!(await scanBatches(db, query, batches, scan, figures))) return undefined
  const { series, totals, breakdown } = figures
  return { series, totals, breakdown }
}

/** Days that only a part of belongs to the range: what was added up for them is too much. */
function partialDays({ fromMs, toMs }: Range, keptFromMs = -Infinity): (day: number) => boolean {
  const partial = new Set(
    [fromMs, toMs].filter((at) => at !== dayOf(at) && dayOf(at) >= keptFromMs).map(dayOf),
  )
  return (day) => partial.has(day)
}

async function addDays(
  db: Database,
  { userId, scope, interval, by, zone = UTC }: StatsQuery,
  range: Range,
  figures: Figures,
  isPartial: (day: number) => boolean,
): Promise<void> {
  const keys = scope === undefined ? [ALL_LINKS] : scope.map(scopeKey)
  if (keys.length === 0) return
  const column = DIMENSIONS.find((dimension) => dimension === by)
  const byHours = interval === 'hour' || by === 'hour_of_week' || zone.name !== 'UTC'
  const rows = await db.sql
    .selectFrom('click_days')
    .select(['day', 'clicks', 'uniques', 'bots'])
    .$if(byHours, (select) => select.select('hours'))
    .$if(column !== undefined, (select) => select.select(`${column ?? 'hours'} as text`))
    .where('user_key', '=', scopeKey(userId))
    .where('scope_key', 'in', keys)
    .where('day', '>=', dayOf(range.fromMs))
    .where('day', '<', range.toMs)
    .execute()
  for (const { day, hours, text, ...tally } of rows) {
    if (isPartial(day)) continue
    if (!byHours) figures.addTally(day, tally)
    else
      for (const hour of readHours(hours ?? '', day))
        if (hour.at >= range.fromMs && hour.at < range.toMs) figures.addTally(hour.at, hour)
    for (const [value, clicks] of readValues(text ?? '')) figures.addValue(value, clicks)
  }
}

type BatchName = Pick<ClickBatchRow, 'day' | 'id'>

/** Batches that were not added up yet, and those of the days that are gone through. */
async function listBatches(
  db: Database,
  { userId }: StatsQuery,
  range: Range,
  isScanned: (day: number) => boolean,
): Promise<BatchName[]> {
  const batches = await db.sql
    .selectFrom('click_batches')
    .select(['day', 'id', 'open_day'])
    .where('user_key', '=', scopeKey(userId))
    .where('day', '>=', dayOf(range.fromMs))
    .where('day', '<', range.toMs)
    .execute()
  return batches.filter(({ day, open_day }) => open_day !== null || isScanned(day))
}

/** False if one of them is no longer there. */
async function scanBatches(
  db: Database,
  { userId }: StatsQuery,
  batches: readonly BatchName[],
  scan: ScanQuery,
  figures: Figures,
): Promise<boolean> {
  const userKey = scopeKey(userId)
  for (let at = 0; at < batches.length; at += BATCHES_AT_ONCE) {
    const some = batches.slice(at, at + BATCHES_AT_ONCE)
    const names = sql.join(some.map(({ day, id }) => sql`(cast(${day} as bigint), ${id})`))
    const { rows } = await sql<{ day: number; data: Uint8Array }>`
      select day, data from click_batches where user_key = ${userKey} and (day, id) in (values ${names})`.execute(
      db.sql,
    )
    if (rows.length < some.length) return false
    for (const { day, data } of rows) {
      scanBatch(unpackBatch(data), day, scan, figures)
      // A year of clicks takes a second: others go in between.
      await nextTurn()
    }
  }
  return true
}
