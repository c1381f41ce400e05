import { type ClickHouse, quoted, uuid, uuids } from '../clickhouse/client.ts'
import type { ClickHouseLease } from '../clickhouse/lease.ts'
import {
  dropMonths,
  isErased,
  markErased,
  type SummedPeriod,
  summedPeriods,
} from '../clickhouse/retention.ts'
import { CLICK_COLUMNS, clickOf, type ClickRow, moment, TABLE } from '../clickhouse/table.ts'
import type { Database } from '../../storage/db/database.ts'
import { dayOf } from '../../work/times.ts'
import { forgetSums } from './database.ts'
import {
  type FigureSums,
  figuresOf,
  isFiltered,
  OTHER_VALUES,
  type Periods,
  periodsOf,
  QUARTER_MS,
  type Range,
} from './figures.ts'
import type {
  ClicksQuery,
  Dimension,
  ExportedClick,
  Figures,
  FiguresQuery,
  Statistics,
} from './statistics.ts'
import { addStoredSums } from './stored-clicks.ts'

const TRIES = 5
/** Distinct values of a breakdown that are read; the rest is counted together. */
const MAX_VALUES_READ = 10_000
/** Rows that ClickHouse sorts at once for an export. One hour is the smallest piece. */
const SORTED_ROWS = 200_000
const HOUR_S = 3_600

/** Single clicks in ClickHouse, with sums of older ones in the database. */
export function clickHouseStatistics(
  db: Database,
  clickhouse: ClickHouse,
  lease: ClickHouseLease,
): Statistics {
  return {
    figures: (query) => readFigures(db, clickhouse, query),
    clicks: (query) => readClicks(db, clickhouse, query),
    async forget(workspaceUuid) {
      await markErased(db, workspaceUuid)
      return forgetSums(db, workspaceUuid)
    },
    async dropBefore(monthMs, signal) {
      await lease.exclusively(() => dropMonths(db, clickhouse, lease, monthMs, signal))
    },
  }
}

/** Retries if a month was summed while the figures were read. */
async function readFigures(db: Database, clickhouse: ClickHouse, query: FiguresQuery): Promise<Figures> {
  await clickhouse.ping()
  for (let attempt = 1; ; attempt++) {
    const periods = periodsOf(query)
    const summed = await db.read(async () => {
      if (await isErased(db, query.workspaceUuid)) return undefined
      // Read in this order: sums stored in between change the version.
      const found = await summedPeriods(db, query.workspaceUuid)
      if (!isFiltered(query)) await addStoredSums(db, query, periods)
      return found
    })
    if (summed === undefined) return figuresOf(periods)
    await addRows(clickhouse, query, periods, summed.periods)
    const after = await db.read(() => summedPeriods(db, query.workspaceUuid))
    if (after.version === summed.version) return figuresOf(periods)
    if (attempt === TRIES) throw new Error('Months of clicks are summed more quickly than they are read')
  }
}

/** Adds the single clicks. */
async function addRows(
  clickhouse: ClickHouse,
  query: FiguresQuery,
  { current, previous, range }: Periods,
  summed: readonly SummedPeriod[],
): Promise<void> {
  if (query.scope?.length === 0) return
  const keptFromMs = isFiltered(query) ? dayOf(query.retainedFromMs) : -Infinity
  const within = ({ fromMs, toMs }: Range): string =>
    conditionsOf(query, { fromMs: Math.max(fromMs, keptFromMs), toMs }, summed)
  const visits = `from ${TABLE} where ${within(range)} and ${VISITS}`
  const quarter = QUARTER_MS / 1_000
  const tallies = clickhouse.rows<{ quarter: number; clicks: number; bots: number }>(
    `select intDiv(toUInt32(at), ${quarter}) as quarter, countIf(bot = 0) as clicks, countIf(bot = 1) as bots
      ${visits} group by quarter order by quarter`,
  )
  // A visitor counts once a day in each period, at the first click.
  const uniques = clickhouse.rows<{ quarter: number; uniques: number }>(
    `select intDiv(first, ${quarter}) as quarter, count() as uniques from
      (select toDate(at) as day, at < ${moment(current.range.fromMs)} as previous, visitor, min(toUInt32(at)) as first
        ${visits} and bot = 0 group by day, previous, visitor)
      group by quarter order by quarter`,
  )
  const values = valuesOf(clickhouse, current.sums.by, query, within(current.range))
  const [counted, visitors, valued] = await Promise.all([tallies, uniques, values])
  const sumsAt = (atMs: number): FigureSums =>
    previous === undefined || atMs >= current.range.fromMs ? current.sums : previous.sums
  let clicks = 0
  for (const row of counted) {
    const atMs = row.quarter * QUARTER_MS
    sumsAt(atMs).addTally(atMs, row.clicks, 0, row.bots)
    if (atMs >= current.range.fromMs) clicks += query.bot === true ? row.bots : row.clicks
  }
  for (const row of visitors)
    sumsAt(row.quarter * QUARTER_MS).addTally(row.quarter * QUARTER_MS, 0, row.uniques, 0)
  addValues(current.sums, valued, clicks)
}

const VISITS = `kind in ('link', 'page')`

const isOfPage = (by: Dimension): boolean => by === 'button' || by === 'icon'

const kindsOf = (by: Dimension): string => (isOfPage(by) ? `kind = '${by}'` : VISITS)

const EXPRESSIONS: Partial<Record<Dimension, string>> = {
  source: `if(scanned = 1, 'qr', 'link')`,
  link: 'toString(link_uuid)',
  button: 'detail',
  icon: 'detail',
}

interface ValueRow {
  /** Its place in the list of dimensions, from 1. */
  readonly dimension: number
  readonly value: string
  readonly clicks: number
}

/** How often each value of the dimensions occurs. One pass: each click becomes one row for each dimension. */
async function valuesOf(
  clickhouse: ClickHouse,
  by: readonly Dimension[],
  { bot }: FiguresQuery,
  where: string,
): Promise<ValueRow[]> {
  if (by.length === 0) return []
  const expressions = by.map((dimension) => EXPRESSIONS[dimension] ?? dimension)
  const kinds = [...new Set(by.map(kindsOf))].join(' or ')
  // Breakdowns leave out bots, unless the query is about bots only.
  const clicks = `from ${TABLE} where ${where} and bot = ${bot === true ? 1 : 0} and (${kinds})`
  const rows =
    by.length === 1
      ? `select 1 as dimension, ${expressions[0]} as value ${clicks}`
      : `select dimension, value from (select kind, [${expressions.join(',')}] as texts ${clicks})
          array join texts as value, arrayEnumerate(texts) as dimension
          ${by.some(isOfPage) ? `where ${by.map((name, at) => `(dimension = ${at + 1} and ${kindsOf(name)})`).join(' or ')}` : ''}`
  return clickhouse.rows<ValueRow>(
    `select dimension, value, count() as clicks from (${rows}) group by dimension, value
      order by clicks desc, value limit ${MAX_VALUES_READ} by dimension`,
  )
}

/** Values that were not read count together. A page has few buttons and icons, which are all read. */
function addValues(sums: FigureSums, rows: readonly ValueRow[], clicks: number): void {
  const rest = sums.by.map((dimension) => (isOfPage(dimension) ? 0 : clicks))
  for (const row of rows) {
    const dimension = sums.by[row.dimension - 1]
    if (dimension === undefined) continue
    sums.addValue(dimension, row.value, row.clicks)
    rest[row.dimension - 1]! -= row.clicks
  }
  for (const [at, dimension] of sums.by.entries())
    if (rest[at]! > 0) sums.addValue(dimension, OTHER_VALUES, rest[at]!)
}

/** Column names are constants; values come from users and visitors and are quoted. */
function conditionsOf(
  { workspaceUuid, scope, filters, bot }: FiguresQuery,
  { fromMs, toMs }: Range,
  summed: readonly SummedPeriod[],
): string {
  const conditions = [
    `workspace_uuid = ${uuid(workspaceUuid)}`,
    `at >= ${moment(fromMs)} and at < ${moment(toMs)}`,
    scope === undefined ? `kind = 'link'` : `link_uuid in ${uuids(scope)}`,
    ...withoutSummed(summed),
  ]
  if (bot !== undefined) conditions.push(`bot = ${bot ? 1 : 0}`)
  for (const [field, wanted] of filters) {
    if (field === 'source')
      conditions.push(`scanned in (${[...wanted].map((source) => (source === 'qr' ? 1 : 0)).join(',')})`)
    else conditions.push(`${field} in (${[...wanted].map(quoted).join(',')})`)
  }
  return conditions.join(' and ')
}

export const withoutSummed = (summed: readonly SummedPeriod[]): string[] =>
  summed.map(({ fromMs, toMs }) => `not (at >= ${moment(fromMs)} and at < ${moment(toMs)})`)

/**
 * Counts the rows of each hour first, then reads in pieces: ClickHouse has to sort a piece, and neither side holds more than
 * one in memory.
 */
async function* readClicks(
  db: Database,
  clickhouse: ClickHouse,
  query: ClicksQuery,
): AsyncGenerator<ExportedClick> {
  await clickhouse.ping()
  const { workspaceUuid, scope, toMs } = query
  const fromMs = Math.max(query.fromMs, dayOf(query.retainedFromMs))
  const summed = await db.read(async () =>
    (await isErased(db, workspaceUuid)) ? undefined : summedPeriods(db, workspaceUuid),
  )
  if (summed === undefined || scope?.length === 0) return
  const where = [
    `workspace_uuid = ${uuid(workspaceUuid)}`,
    ...(scope === undefined ? [] : [`link_uuid in ${uuids(scope)}`]),
    ...withoutSummed(summed.periods),
  ].join(' and ')
  const within = `at >= ${moment(fromMs - 999)} and at < ${moment(toMs)}
    and toUInt64(toUInt32(at)) * 1000 + ms >= ${Math.max(0, fromMs)}
    and toUInt64(toUInt32(at)) * 1000 + ms < ${toMs}`
  const hours = await clickhouse.rows<{ hour: number; clicks: number }>(
    `select intDiv(toUInt32(at), ${HOUR_S}) as hour, count() as clicks from ${TABLE}
      where ${where} and ${within} group by hour order by hour`,
  )
  for (const { first, last } of inPieces(hours)) {
    const piece = `at >= ${moment(first * HOUR_S * 1_000)} and at < ${moment((last + 1) * HOUR_S * 1_000)}`
    const rows = clickhouse.stream<ClickRow>(
      `select ${CLICK_COLUMNS} from ${TABLE} where ${where} and ${within} and ${piece}
        order by at, ms, link_uuid, visitor`,
    )
    for await (const row of rows) {
      const { visitor: _visitor, ...exported } = clickOf(row)
      yield exported
    }
  }
}

/** Groups hours that are read together. */
export function* inPieces(
  hours: readonly { readonly hour: number; readonly clicks: number }[],
): Generator<{ readonly first: number; readonly last: number }> {
  let piece: { first: number; last: number; clicks: number } | undefined
  for (const { hour, clicks } of hours) {
    if (piece !== undefined && piece.clicks + clicks > SORTED_ROWS) {
      yield piece
      piece = undefined
    }
    piece ??= { first: hour, last: hour, clicks: 0 }
    piece.last = hour
    piece.clicks += clicks
  }
  if (piece !== undefined) yield piece
}
