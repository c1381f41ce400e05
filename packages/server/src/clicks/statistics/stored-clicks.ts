import { type Kysely, sql } from 'kysely'
import { Batch, readableBatch } from '../batches/packed-batch.ts'
import { readByteRows } from '../../storage/db/byte-rows.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Tables } from '../../storage/db/tables.ts'
import { DAY_MS, dayOf } from '../../work/times.ts'
import { nextTurn } from '../../work/turns.ts'
import { figuresOf, isFiltered, type Periods, periodsOf, type Range } from './figures.ts'
import { Scan } from './scan.ts'
import type { Figures, FiguresQuery } from './statistics.ts'
import { addSums, monthOf, SumsBuilder, type SumsRow } from './sums.ts'

/** The part of a database that reading needs. SQLite's thread has only this part. */
export type Reading = Pick<Database, 'engine'> & { readonly sql: Kysely<Tables> }

/** Some 5 MB for a large workspace. */
const BATCHES_AT_ONCE = 8
const TRIES = 5
/** Clicks of a month that are summed in one transaction, in whole days. */
const SUMMED_CLICKS = 1_000_000

export interface BatchName {
  readonly day: number
  readonly id: string
}

/** Retries if batches were merged or dropped while they were read, so that clicks would be missing. */
export async function readFigures(db: Reading, query: FiguresQuery): Promise<Figures> {
  for (let attempt = 1; ; attempt++) {
    const figures = await tryReadFigures(db, query)
    if (figures !== undefined) return figures
    if (attempt === TRIES) throw new Error('Batches of clicks are merged more quickly than they are read')
  }
}

async function tryReadFigures(db: Reading, query: FiguresQuery): Promise<Figures | undefined> {
  const periods = periodsOf(query)
  const filtered = isFiltered(query)
  const keptFromMs = filtered ? dayOf(query.retainedFromMs) : -Infinity
  const kept = keptFrom(periods.range, keptFromMs)
  // In this order: batches that are dropped in between are then missing when they are read.
  const batches = await listBatches(db, query.workspaceUuid, kept)
  if (!filtered) await addStoredSums(db, query, periods)
  const scans = periods.both.map(({ range, sums }) => new Scan(query, keptFrom(range, keptFromMs), sums))
  const isWhole = await readBatches(db, query.workspaceUuid, batches, async (data, { day }) => {
    const batch = new Batch(data)
    for (const scan of scans) scan.add(batch, day)
    await nextTurn()
  })
  for (const scan of scans) scan.end()
  return isWhole ? figuresOf(periods) : undefined
}

const keptFrom = ({ fromMs, toMs }: Range, keptFromMs: number): Range => ({
  fromMs: Math.max(fromMs, keptFromMs),
  toMs,
})

export async function countStored(db: Reading, query: FiguresQuery): Promise<number> {
  const { fromMs, toMs } = periodsOf(query).range
  const batches = await db.sql
    .selectFrom('click_batches')
    .select((select) => select.fn.sum<number | null>('clicks').as('clicks'))
    .where('workspace_uuid', '=', query.workspaceUuid)
    .where('day', '>=', dayOf(fromMs))
    .where('day', '<', toMs)
    .executeTakeFirst()
  const sums = await db.sql
    .selectFrom('click_sums')
    .select((select) => select.fn.sum<number | null>('clicks').as('clicks'))
    .where('workspace_uuid', '=', query.workspaceUuid)
    .where('dimension', '=', 'time')
    .where('month', '>=', monthOf(fromMs))
    .where('month', '<', toMs)
    .executeTakeFirst()
  return (batches?.clicks ?? 0) + (sums?.clicks ?? 0)
}

/** By day, and within a day by time. */
export async function listBatches(
  db: Reading,
  workspaceUuid: string,
  { fromMs, toMs }: Range,
): Promise<(BatchName & { readonly first_at: number; readonly clicks: number })[]> {
  return db.sql
    .selectFrom('click_batches')
    .select(['day', 'id', 'first_at', 'clicks'])
    .where('workspace_uuid', '=', workspaceUuid)
    .where('day', '>=', dayOf(fromMs))
    .where('day', '<', toMs)
    .orderBy('day')
    .orderBy('first_at')
    .orderBy('id')
    .execute()
}

/** Reads some batches at a time; returns false if one of them no longer exists. */
export async function readBatches<Name extends BatchName>(
  db: Reading,
  workspaceUuid: string,
  batches: readonly Name[],
  take: (data: Uint8Array, name: Name) => Promise<void>,
): Promise<boolean> {
  for (let at = 0; at < batches.length; at += BATCHES_AT_ONCE) {
    const names = batches.slice(at, at + BATCHES_AT_ONCE)
    const rows = await readByteRows(db, (value) => {
      const keys = names.map(({ day, id }) => sql`(cast(${value(day)} as bigint), ${value(id)})`)
      return sql`select id, data from click_batches
        where workspace_uuid = ${value(workspaceUuid)} and (day, id) in (values ${sql.join(keys)})`
    })
    const found = new Map(rows.map(({ id, data }) => [id, data]))
    for (const name of names) {
      const data = found.get(name.id)
      if (data === undefined) return false
      await take(data, name)
    }
  }
  return true
}

/** Adds the sums of clicks that are no longer stored one by one. */
export async function addStoredSums(
  db: Reading,
  query: FiguresQuery,
  { range, both }: Periods,
): Promise<void> {
  const { workspaceUuid, by } = query
  const parts = await listParts(db, workspaceUuid, range)
  for (const { month, id } of parts) {
    const rows = await readPart(db, workspaceUuid, month, id, ['links', 'time', ...by])
    const values = new Map(rows.map(({ dimension, data }) => [dimension, data]))
    const [links, time] = [values.get('links'), values.get('time')]
    if (links === undefined || time === undefined) continue
    for (const period of both)
      if (period.range.fromMs < monthOf(month + 32 * DAY_MS) && period.range.toMs > month)
        await addSums({ monthMs: month, links, time, values }, query, period)
    await nextTurn()
  }
}

/** The parts of the months that a period covers. */
export async function listParts(
  db: Reading,
  workspaceUuid: string,
  { fromMs, toMs }: Range,
): Promise<{ readonly month: number; readonly id: string }[]> {
  return db.sql
    .selectFrom('click_sums')
    .select(['month', 'id'])
    .where('workspace_uuid', '=', workspaceUuid)
    .where('dimension', '=', 'time')
    .where('month', '>=', monthOf(fromMs))
    .where('month', '<', toMs)
    .orderBy('month')
    .orderBy('id')
    .execute()
}

export async function readPart(
  db: Reading,
  workspaceUuid: string,
  month: number,
  id: string,
  dimensions?: readonly string[],
): Promise<SumsRow[]> {
  return db.sql
    .selectFrom('click_sums')
    .select(['dimension', 'data'])
    .where('workspace_uuid', '=', workspaceUuid)
    .where('month', '=', month)
    .where('id', '=', id)
    .$if(dimensions !== undefined, (select) => select.where('dimension', 'in', dimensions ?? []))
    .execute()
}

/** A workspace's month that still has single clicks. */
export interface DueMonth {
  readonly workspaceUuid: string
  readonly month: number
}

export async function nextDue(db: Reading, beforeMs: number): Promise<DueMonth | undefined> {
  const row = await db.sql
    .selectFrom('click_batches')
    .select(['workspace_uuid', 'day'])
    .where('day', '<', beforeMs)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return row && { workspaceUuid: row.workspace_uuid, month: monthOf(row.day) }
}

/** The sums of some days of a month, and the batches that they replace. */
export interface SummedMonth {
  readonly batches: readonly BatchName[]
  readonly clicks: number
  readonly rows: readonly SumsRow[]
}

/** Sums whole days up to the limit; at least one. */
export async function sumMonth(db: Reading, { workspaceUuid, month }: DueMonth): Promise<SummedMonth> {
  const toMs = monthOf(month + 32 * DAY_MS)
  const all = await listBatches(db, workspaceUuid, { fromMs: month, toMs })
  const builder = new SumsBuilder(month)
  const done: BatchName[] = []
  let clicks = 0
  for (const [day, ofDay = []] of Map.groupBy(all, (batch) => batch.day)) {
    if (clicks > 0 && clicks + ofDay.reduce((sum, batch) => sum + batch.clicks, 0) > SUMMED_CLICKS) break
    const batches: Batch[] = []
    await readBatches(db, workspaceUuid, ofDay, async (data) => {
      const batch = readableBatch(data)
      // An unreadable batch is dropped with the others: the retention applies to data that was set aside, too.
      if (batch === undefined) return
      batches.push(batch)
      clicks += batch.clicks
    })
    await builder.addDay(day, batches, nextTurn)
    done.push(...ofDay.map(({ id }) => ({ day, id })))
  }
  return { batches: done, clicks, rows: clicks === 0 ? [] : await builder.pack() }
}
