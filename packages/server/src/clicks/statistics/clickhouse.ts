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
import { FigureSums, isFiltered, OTHER_VALUES, QUARTER_MS, type Range, rangeOf } from './figures.ts'
import type { ClicksQuery, ExportedClick, Figures, FiguresQuery, Statistics } from './statistics.ts'
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
  const range = rangeOf(query)
  for (let attempt = 1; ; attempt++) {
    const sums = new FigureSums(query, range)
    const summed = await db.read(async () => {
      if (await isErased(db, query.workspaceUuid)) return undefined
      // Read in this order: sums stored in between change the version.
      const found = await summedPeriods(db, query.workspaceUuid)
      if (!isFiltered(query)) await addStoredSums(db, query, range, sums)
      return found
    })
    if (summed === undefined) return sums.figures
    await addRows(clickhouse, query, range, summed.periods, sums)
    const after = await db.read(() => summedPeriods(db, query.workspaceUuid))
    if (after.version === summed.version) return sums.figures
    if (attempt === TRIES) throw new Error('Months of clicks are summed more quickly than they are read')
  }
}

/** Adds the single clicks. */
async function addRows(
  clickhouse: ClickHouse,
  query: FiguresQuery,
  range: Range,
  summed: readonly SummedPeriod[],
  sums: FigureSums,
): Promise<void> {
  if (query.scope?.length === 0) return
  const fromMs = isFiltered(query) ? Math.max(range.fromMs, dayOf(query.retainedFromMs)) : range.fromMs
  const where = conditionsOf(query, { ...range, fromMs }, summed)
  const visits = `from ${TABLE} where ${where} and kind in ('link', 'page')`
  const quarter = QUARTER_MS / 1_000
  const tallies = clickhouse.rows<{ quarter: number; clicks: number; bots: number }>(
    `select intDiv(toUInt32(at), ${quarter}) as quarter, countIf(bot = 0) as clicks, countIf(bot = 1) as bots
      ${visits} group by quarter order by quarter`,
  )
  // A visitor counts once a day, at the first click.
  const uniques = clickhouse.rows<{ quarter: number; uniques: number }>(
    `select intDiv(first, ${quarter}) as quarter, count() as uniques from
      (select toDate(at) as day, visitor, min(toUInt32(at)) as first ${visits} and bot = 0 group by day, visitor)
      group by quarter order by quarter`,
  )
  const [counted, visitors, values] = await Promise.all([
    tallies,
    uniques,
    valuesOf(clickhouse, query, where),
  ])
  for (const row of counted) sums.addTally(row.quarter * QUARTER_MS, row.clicks, 0, row.bots)
  for (const row of visitors) sums.addTally(row.quarter * QUARTER_MS, 0, row.uniques, 0)
  for (const { value, clicks } of values) sums.addValue(value, clicks)
}

/** How often each value of the breakdown's dimension occurs. */
async function valuesOf(
  clickhouse: ClickHouse,
  { by, bot }: FiguresQuery,
  where: string,
): Promise<{ readonly value: string; readonly clicks: number }[]> {
  if (by === undefined || by === 'hour_of_week') return []
  // Breakdowns leave out bots, unless the query is about bots only.
  const kinds = by === 'button' || by === 'icon' ? `kind = '${by}'` : `kind in ('link', 'page')`
  const clicks = `from ${TABLE} where ${where} and ${kinds} and bot = ${bot === true ? 1 : 0}`
  const column = by === 'button' || by === 'icon' ? 'detail' : by
  const expressions: Readonly<Record<string, string>> = {
    source: `if(scanned = 1, 'qr', 'link')`,
    link: 'toString(link_uuid)',
  }
  const expression = expressions[column] ?? column
  const rows = await clickhouse.rows<{ value: string; clicks: number }>(
    `select ${expression} as value, count() as clicks ${clicks}
      group by value order by clicks desc, value limit ${MAX_VALUES_READ}`,
  )
  if (rows.length < MAX_VALUES_READ) return rows
  const [all] = await clickhouse.rows<{ clicks: number }>(`select count() as clicks ${clicks}`)
  const rest = (all?.clicks ?? 0) - rows.reduce((sum, row) => sum + row.clicks, 0)
  return rest > 0 ? [...rows, { value: OTHER_VALUES, clicks: rest }] : rows
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
