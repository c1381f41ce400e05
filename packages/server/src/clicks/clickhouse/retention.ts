import { sql } from 'kysely'
import { Batch, packBatch } from '../batches/packed-batch.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Database } from '../../storage/db/database.ts'
import { DAY_MS } from '../../work/times.ts'
import { nextTurn } from '../../work/turns.ts'
import { insertSums } from '../statistics/database.ts'
import { SumsBuilder } from '../statistics/sums.ts'
import { type ClickHouse, uuid, uuids } from './client.ts'
import type { ClickHouseLease } from './lease.ts'
import { forgetSentBefore } from './sent-periods.ts'
import { CLICK_COLUMNS, clickOf, type ClickRow, moment, partitions, partitionStart, TABLE } from './table.ts'

/** Clicks of a month that are summed in one transaction, in whole days. */
const SUMMED_CLICKS = 1_000_000
const BATCH_CLICKS = 50_000

/** A period of a workspace that has been summed but whose rows are still in ClickHouse. */
export interface SummedPeriod {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

/** `version` changes whenever sums are stored. */
export async function summedPeriods(
  db: Database,
  workspaceUuid: string,
): Promise<{ readonly periods: readonly SummedPeriod[]; readonly version: string }> {
  const rows = await db.sql
    .selectFrom('summed_months')
    .select(['month', 'before_day'])
    .where('workspace_uuid', '=', workspaceUuid)
    .execute()
  const parts = await db.sql
    .selectFrom('click_sums')
    .select((select) => select.fn.max('id').as('last'))
    .where('workspace_uuid', '=', workspaceUuid)
    .executeTakeFirst()
  return {
    periods: rows.map(({ month, before_day }) => ({ fromMs: month, toMs: before_day })),
    version: parts?.last ?? '',
  }
}

/**
 * Stores the sums of all months before this one and drops their rows. Each part of the sums is stored in one transaction with
 * a record that its days are summed, so figures leave out the rows of these days and no day is summed twice. The records of
 * a month are deleted after its rows. Runs under the lease, so that no rows are added meanwhile.
 */
export async function dropMonths(
  db: Database,
  clickhouse: ClickHouse,
  lease: ClickHouseLease,
  beforeMs: number,
  signal?: AbortSignal,
): Promise<void> {
  const isOver = (): boolean => signal?.aborted === true || !lease.isHeld
  const stored = await partitions(clickhouse)
  await forgetDropped(db, new Set(stored.map(partitionStart)))
  for (const partition of stored) {
    const month = partitionStart(partition)
    if (month >= beforeMs) return
    const workspaces = await clickhouse.rows<{ workspace_uuid: string }>(
      `select distinct workspace_uuid from ${TABLE} where toYYYYMM(at) = ${partition}`,
    )
    for (const { workspace_uuid } of workspaces)
      for (let isWhole = false; !isWhole;) {
        if (isOver()) return
        isWhole = await sumDays(db, clickhouse, lease, workspace_uuid, month)
      }
    if (isOver()) return
    await clickhouse.run(`alter table ${TABLE} drop partition ${partition}`, () => lease.confirm())
    await forgetDropped(db, new Set(stored.map(partitionStart).filter((start) => start !== month)))
    await forgetSentBefore(db, nextMonth(month))
  }
}

/** Deletes the records of months without rows. */
async function forgetDropped(db: Database, stored: ReadonlySet<number>): Promise<void> {
  const noted = await db.sql.selectFrom('summed_months').select('month').distinct().execute()
  for (const { month } of noted)
    if (!stored.has(month))
      await db.write(() => db.sql.deleteFrom('summed_months').where('month', '=', month).execute())
}

/** Sums the next days of a workspace's month; returns true when all are summed. */
async function sumDays(
  db: Database,
  clickhouse: ClickHouse,
  lease: ClickHouseLease,
  workspaceUuid: string,
  month: number,
): Promise<boolean> {
  if (await isErased(db, workspaceUuid)) return true
  const noted = await db.sql
    .selectFrom('summed_months')
    .select('before_day')
    .where('workspace_uuid', '=', workspaceUuid)
    .where('month', '=', month)
    .executeTakeFirst()
  const from = noted?.before_day ?? month
  const end = nextMonth(month)
  const days = await clickhouse.rows<{ day: number; clicks: number }>(
    `select intDiv(toUInt32(at), 86400) as day, count() as clicks from ${TABLE}
      where workspace_uuid = ${uuid(workspaceUuid)} and at >= ${moment(from)} and at < ${moment(end)}
      group by day order by day`,
  )
  const builder = new SumsBuilder(month)
  let clicks = 0
  let before = end
  for (const { day, clicks: ofDay } of days) {
    if (clicks > 0 && clicks + ofDay > SUMMED_CLICKS) {
      before = day * DAY_MS
      break
    }
    await builder.addDay(day * DAY_MS, await batchesOf(clickhouse, workspaceUuid, day * DAY_MS), nextTurn)
    clicks += ofDay
  }
  const rows = clicks === 0 ? [] : await builder.pack()
  await db.write(async () => {
    await lease.confirm()
    await insertSums(db, { workspaceUuid, month }, clicks, rows)
    await db.sql
      .insertInto('summed_months')
      .values({ workspace_uuid: workspaceUuid, month, before_day: before })
      .onConflict((conflict) =>
        conflict.columns(['workspace_uuid', 'month']).doUpdateSet({ before_day: before }),
      )
      .execute()
  }, 'background')
  return before === end
}

export const nextMonth = (month: number): number => {
  const at = new Date(month)
  return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1)
}

/** The clicks of a workspace's day, packed. */
async function batchesOf(clickhouse: ClickHouse, workspaceUuid: string, day: number): Promise<Batch[]> {
  const rows = clickhouse.stream<ClickRow>(
    `select ${CLICK_COLUMNS} from ${TABLE} where workspace_uuid = ${uuid(workspaceUuid)}
      and at >= ${moment(day)} and at < ${moment(day + DAY_MS)} order by at, ms, link_uuid, visitor`,
  )
  const batches: Batch[] = []
  let clicks: StoredClick[] = []
  const pack = (): void => void batches.push(new Batch(packBatch(clicks, day)))
  for await (const row of rows) {
    clicks.push(clickOf(row))
    if (clicks.length < BATCH_CLICKS) continue
    pack()
    clicks = []
  }
  if (clicks.length > 0) pack()
  return batches
}

/** For a server without ClickHouse: hides rows that are there, if it is used again. Runs inside the caller's write. */
export async function markErasedIfSent(db: Database, workspaceUuid: string): Promise<void> {
  const sent = await db.sql
    .selectFrom('sent_periods')
    .select('workspace_uuid')
    .where('workspace_uuid', '=', workspaceUuid)
    .executeTakeFirst()
  if (sent !== undefined) await markErased(db, workspaceUuid)
}

/** Hides the rows of a workspace from now on. Runs inside the caller's write. */
export async function markErased(db: Database, workspaceUuid: string): Promise<void> {
  await db.sql
    .insertInto('erased_clicks')
    .values({ workspace_uuid: workspaceUuid, deleted_at: null })
    .onConflict((conflict) => conflict.column('workspace_uuid').doNothing())
    .execute()
  await db.sql
    .updateTable('sent_periods')
    .set({ given_up: 1 })
    .where('workspace_uuid', '=', workspaceUuid)
    .execute()
}

export async function isErased(db: Database, workspaceUuid: string): Promise<boolean> {
  const row = await db.sql
    .selectFrom('erased_clicks')
    .select('workspace_uuid')
    .where('workspace_uuid', '=', workspaceUuid)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Deletes the rows of erased workspaces after their batches have been sent. Uses one mutation per day, because each mutation
 * rewrites the parts that it touches. A workspace without rows is removed from the list. Runs under the lease.
 */
export async function deleteErased(db: Database, clickhouse: ClickHouse, nowMs: number): Promise<void> {
  const { rows: due } = await sql<{ workspace_uuid: string }>`
    select workspace_uuid from erased_clicks
    where (deleted_at is null or deleted_at <= ${nowMs - DAY_MS}) and not exists
      (select 1 from click_batches where click_batches.workspace_uuid = erased_clicks.workspace_uuid)
    order by workspace_uuid limit 10000`.execute(db.sql)
  if (due.length === 0) return
  const all = due.map(({ workspace_uuid }) => workspace_uuid)
  const found = await clickhouse.rows<{ workspace_uuid: string }>(
    `select distinct workspace_uuid from ${TABLE} where workspace_uuid in ${uuids(all)}`,
  )
  const left = found.map(({ workspace_uuid }) => workspace_uuid)
  if (left.length > 0)
    await clickhouse.run(`alter table ${TABLE} delete where workspace_uuid in ${literals(left)}`)
  const gone = all.filter((workspaceUuid) => !left.includes(workspaceUuid))
  await db.write(async () => {
    for (const workspaceUuid of gone)
      for (const table of ['erased_clicks', 'sent_periods'] as const)
        await db.sql.deleteFrom(table).where('workspace_uuid', '=', workspaceUuid).execute()
    for (const workspaceUuid of left)
      await db.sql
        .updateTable('erased_clicks')
        .set({ deleted_at: nowMs })
        .where('workspace_uuid', '=', workspaceUuid)
        .execute()
  })
}

/** Mutations are stored as text and run later, so they cannot use a subquery. */
const literals = (all: readonly string[]): string => `(${all.map(uuid).join(',')})`
