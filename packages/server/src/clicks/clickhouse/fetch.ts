import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { OperatorError } from '../../net/errors.ts'
import { dayOf, HOUR_MS } from '../../work/times.ts'
import { packBatch } from '../batches/packed-batch.ts'
import { MAX_BATCH_BYTES, MAX_BATCH_CLICKS } from '../batches/merging.ts'
import { type StoredClick, TEXT_COLUMNS } from '../batches/stored-click.ts'
import { inPieces, withoutSummed } from '../statistics/clickhouse.ts'
import { type ClickHouse, uuid } from './client.ts'
import { type ClickHouseLease, hasBegunFetching } from './lease.ts'
import { isErased, nextMonth, summedPeriods } from './retention.ts'
import { ClickSender } from './sender.ts'
import { forgetSentBefore } from './sent-periods.ts'
import { CLICK_COLUMNS, clickOf, type ClickRow, moment, partitions, partitionStart, TABLE } from './table.ts'

const HOUR_S = HOUR_MS / 1_000
/** The lease of a server that was killed expires after 15 seconds. */
const LEASE_TRIES = 20
const LEASE_EVERY_MS = 1_000

const newBatchId = createIds()

interface FetchOptions {
  readonly db: Database
  readonly clickhouse: ClickHouse
  readonly lease: ClickHouseLease
  /** Called after each stored piece. */
  readonly onProgress?: (clicks: number) => void
}

/**
 * Copies the rows back into the database as packed batches, and drops them in ClickHouse month by month. Each piece is
 * stored in one transaction with how far the month has been fetched, so an interrupted run can continue and no click is
 * stored twice. The row with an empty workspace stops senders until the end. Returns the number of clicks fetched.
 */
export async function fetchClicks(options: FetchOptions): Promise<number> {
  const { lease } = options
  for (let tries = 0; tries < LEASE_TRIES; tries++) {
    const fetched = await lease.exclusively(() => fetchAll(options), true)
    if (fetched !== undefined) return fetched
    await delay(LEASE_EVERY_MS)
  }
  throw new OperatorError('A server with CLICKS_URL is running; stop all servers first')
}

async function fetchAll(options: FetchOptions): Promise<number> {
  const { db, clickhouse, lease } = options
  if (!(await hasBegunFetching(db))) {
    // ClickHouse may already have some of the batches that are still waiting.
    const log = { info: () => undefined, warn: () => undefined }
    const sender = new ClickSender({ db, clickhouse, lease, log, sweep: () => Promise.resolve() })
    while (await sender.sendSome());
    await db.write(() => note(db, '', 0, 0, 0))
  }
  let fetched = 0
  for (const partition of await partitions(clickhouse)) {
    const month = partitionStart(partition)
    const workspaces = await clickhouse.rows<{ workspace_uuid: string }>(
      `select distinct workspace_uuid from ${TABLE} where toYYYYMM(at) = ${partition}`,
    )
    for (const { workspace_uuid } of workspaces) fetched += await fetchMonth(options, workspace_uuid, month)
    await clickhouse.run(`alter table ${TABLE} drop partition ${partition}`, () => lease.confirm())
    await db.write(() =>
      db.sql
        .deleteFrom('fetched_clicks')
        .where('month', '=', month)
        .where('workspace_uuid', '!=', '')
        .execute(),
    )
    await forgetSentBefore(db, nextMonth(month))
  }
  await db.write(async () => {
    for (const table of ['fetched_clicks', 'summed_months', 'erased_clicks', 'sent_periods'] as const)
      await db.sql.deleteFrom(table).execute()
  })
  return fetched
}

async function fetchMonth(
  { db, clickhouse, lease, onProgress }: FetchOptions,
  workspaceUuid: string,
  month: number,
): Promise<number> {
  if (await isErased(db, workspaceUuid)) return 0
  const { periods } = await summedPeriods(db, workspaceUuid)
  const where = [`workspace_uuid = ${uuid(workspaceUuid)}`, ...withoutSummed(periods)].join(' and ')
  const within = (fromMs: number, toMs: number): string =>
    `from ${TABLE} where ${where} and at >= ${moment(fromMs)} and at < ${moment(toMs)}`
  const end = nextMonth(month)
  const noted = await db.sql
    .selectFrom('fetched_clicks')
    .selectAll()
    .where('workspace_uuid', '=', workspaceUuid)
    .where('month', '=', month)
    .executeTakeFirst()
  const hours = await clickhouse.rows<{ hour: number; clicks: number }>(
    `select intDiv(toUInt32(at), ${HOUR_S}) as hour, count() as clicks
      ${within(noted?.before_at ?? month, end)} group by hour order by hour`,
  )
  const before = noted?.clicks ?? 0
  let fetched = 0
  for (const [day, ofDay] of Map.groupBy(hours, ({ hour }) => dayOf(hour * HOUR_MS)))
    for (const { first, last } of inPieces(ofDay)) {
      const toMs = (last + 1) * HOUR_MS
      const rows = clickhouse.stream<ClickRow>(
        `select ${CLICK_COLUMNS} ${within(first * HOUR_MS, toMs)} order by at, ms, link_uuid, visitor`,
      )
      const batches = await packRows(rows, day)
      const clicks = batches.reduce((sum, batch) => sum + batch.clicks, 0)
      fetched += clicks
      await db.write(async () => {
        await lease.confirm()
        for (const batch of batches)
          await db.sql
            .insertInto('click_batches')
            .values({ workspace_uuid: workspaceUuid, day, id: newBatchId(), open_day: day, ...batch })
            .execute()
        await note(db, workspaceUuid, month, toMs, before + fetched)
      }, 'background')
      onProgress?.(clicks)
    }
  const [stored] = await clickhouse.rows<{ clicks: number }>(`select count() as clicks ${within(month, end)}`)
  if (stored?.clicks !== before + fetched)
    throw new OperatorError(
      `ClickHouse has ${stored?.clicks} clicks of workspace ${workspaceUuid} in ${new Date(month).toISOString().slice(0, 7)}, but ${before + fetched} were fetched`,
    )
  return fetched
}

/** Packs rows into batches that are small enough for statistics. */
async function packRows(
  rows: AsyncIterable<ClickRow>,
  day: number,
): Promise<{ readonly first_at: number; readonly clicks: number; readonly data: Buffer }[]> {
  const batches: { first_at: number; clicks: number; data: Buffer }[] = []
  let clicks: StoredClick[] = []
  let characters = 0
  const pack = (): void => {
    batches.push({ first_at: clicks[0]?.atMs ?? day, clicks: clicks.length, data: packBatch(clicks, day) })
    clicks = []
    characters = 0
  }
  for await (const row of rows) {
    const click = clickOf(row)
    clicks.push(click)
    for (const column of TEXT_COLUMNS) characters += click[column].length
    if (clicks.length === MAX_BATCH_CLICKS || characters > MAX_BATCH_BYTES) pack()
  }
  if (clicks.length > 0) pack()
  return batches
}

/** Runs inside a write. */
async function note(
  db: Database,
  workspaceUuid: string,
  month: number,
  beforeAt: number,
  clicks: number,
): Promise<void> {
  await db.sql
    .insertInto('fetched_clicks')
    .values({ workspace_uuid: workspaceUuid, month, before_at: beforeAt, clicks })
    .onConflict((conflict) =>
      conflict.columns(['workspace_uuid', 'month']).doUpdateSet({ before_at: beforeAt, clicks }),
    )
    .execute()
}
