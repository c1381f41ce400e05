import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { Batch, readableBatch } from '../../batches/packed-batch.ts'
import { readByteRows } from '../../../storage/db/byte-rows.ts'
import { DAY_MS, dayOf } from '../../../work/times.ts'
import { figuresOf, isFiltered, periodsOf, type Range } from '../figures.ts'
import { Scan } from './scan.ts'
import type { Figures, FiguresQuery } from '../statistics.ts'
import { addStoredSums, type Reading, type WorkspaceMonth } from '../stored-sums.ts'
import { monthOf, SumsBuilder, type SumsRow } from '../sums.ts'

/** Batches that are read and held at once, by their clicks and by their number. Some 500 kB, or one larger batch. */
const CLICKS_AT_ONCE = 20_000
const BATCHES_AT_ONCE = 50
const TRIES = 5
/** Clicks of a month that are summed in one transaction, in whole days. */
const SUMMED_CLICKS = 1_000_000

export interface BatchName {
  readonly day: number
  readonly id: string
}

interface ListedBatch extends BatchName {
  readonly first_at: number
  readonly clicks: number
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
): Promise<ListedBatch[]> {
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
export async function readBatches(
  db: Reading,
  workspaceUuid: string,
  batches: readonly ListedBatch[],
  take: (data: Uint8Array, name: BatchName) => Promise<void>,
): Promise<boolean> {
  for (const names of inPieces(batches)) {
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

function* inPieces(batches: readonly ListedBatch[]): Generator<readonly ListedBatch[]> {
  let piece: ListedBatch[] = []
  let clicks = 0
  for (const batch of batches) {
    if (piece.length > 0 && (clicks + batch.clicks > CLICKS_AT_ONCE || piece.length === BATCHES_AT_ONCE)) {
      yield piece
      piece = []
      clicks = 0
    }
    piece.push(batch)
    clicks += batch.clicks
  }
  if (piece.length > 0) yield piece
}

/** The oldest month of a workspace that still has single clicks. */
export async function nextDue(db: Reading, beforeMs: number): Promise<WorkspaceMonth | undefined> {
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
export async function sumMonth(db: Reading, { workspaceUuid, month }: WorkspaceMonth): Promise<SummedMonth> {
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
