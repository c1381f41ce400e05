import { sql } from 'kysely'
import { Batch, clicksOf } from '../batches/packed-batch.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { dayOf } from '../../work/times.ts'
import { nextTurn } from '../../work/turns.ts'
import type { ScanThread } from './scan-thread.ts'
import type { ClicksQuery, ExportedClick, Statistics } from './statistics.ts'
import {
  countStored,
  type DueMonth,
  listBatches,
  nextDue,
  readBatches,
  readFigures,
  type SummedMonth,
  sumMonth,
} from './stored-clicks.ts'
import type { SumsRow } from './sums.ts'

/** SQLite: scanning this few clicks takes a few milliseconds, less than a round trip to the thread. */
const FEW_CLICKS = 20_000
/** SQLite: comparing with this many links takes a millisecond. */
const FEW_LINKS = 1_000
/** Single clicks that are yielded before other requests get their turn. */
const CLICKS_AT_ONCE = 1_000
const FORGOTTEN_ROWS = 50

const newSumsId = createIds()

/** Single clicks and sums in SQLite and PostgreSQL. `thread` does scans that would block the main thread. */
export function databaseStatistics(db: Database, thread: ScanThread | undefined): Statistics {
  return {
    async figures(query) {
      if (thread === undefined) return db.read(() => readFigures(db, query))
      const isSmall =
        (query.scope?.length ?? 0) <= FEW_LINKS &&
        (await db.read(async () => (await countStored(db, query)) <= FEW_CLICKS))
      return isSmall ? db.read(() => readFigures(db, query)) : thread.figures(query)
    },
    clicks: (query) => readClicks(db, query),
    forget: (workspaceUuid) => forget(db, workspaceUuid),
    async dropBefore(monthMs, signal) {
      for (;;) {
        if (signal?.aborted === true) return
        const due = await db.read(() => nextDue(db, monthMs))
        if (due === undefined) return
        const part = thread === undefined ? await sumMonth(db, due) : await thread.sumMonth(due)
        try {
          await db.write(() => replaceBatches(db, due, part), 'background')
        } catch (error) {
          // The batch was merged, sent or erased meanwhile.
          if (!(error instanceof BatchesChanged)) throw error
        }
      }
    },
  }
}

/**
 * Merge-sorts the clicks of several batches, whose times may overlap. All clicks of one millisecond are yielded together, so
 * that reading can continue after them if the counting thread has merged batches meanwhile.
 */
async function* readClicks(db: Database, query: ClicksQuery): AsyncGenerator<ExportedClick> {
  const { workspaceUuid, scope, toMs } = query
  const wanted = scope && new Set(scope)
  let fromMs = Math.max(query.fromMs, dayOf(query.retainedFromMs))
  let given = 0
  for (let isWhole = false; !isWhole;) {
    const batches = await db.read(() => listBatches(db, workspaceUuid, { fromMs, toMs }))
    const open: OpenBatch[] = []
    isWhole = true
    for (let next = batches.shift(); next !== undefined || open.length > 0;) {
      const atMs = open.reduce((first, { click }) => Math.min(first, click.atMs), Infinity)
      if (next !== undefined && next.first_at <= atMs) {
        const { day, id } = next
        const names = [{ day, id }]
        const begun = await db.read(async () => {
          let data: Uint8Array | undefined
          await readBatches(db, workspaceUuid, names, async (bytes) => void (data = bytes))
          return data && openBatch(clicksOf(new Batch(data), day), fromMs)
        })
        isWhole = begun !== undefined
        if (begun === undefined) break
        if (begun.click !== undefined) open.push(begun as OpenBatch)
        next = batches.shift()
        continue
      }
      if (atMs >= toMs) return
      for (const batch of open.filter(({ click }) => click.atMs === atMs))
        for (let { click } = batch; click.atMs === atMs; click = batch.click) {
          const { visitor: _visitor, ...exported } = click
          if (wanted?.has(exported.resourceUuid) !== false) yield exported
          const { value, done } = batch.rest.next()
          batch.click = done === true ? ENDED : value
        }
      for (let at = open.length - 1; at >= 0; at--) if (open[at]!.click === ENDED) open.splice(at, 1)
      fromMs = atMs + 1
      if (++given % CLICKS_AT_ONCE === 0) await nextTurn()
    }
  }
}

interface OpenBatch {
  /** The next click of the batch. */
  click: StoredClick
  readonly rest: Iterator<StoredClick, void>
}

const ENDED = { atMs: Infinity } as StoredClick

/** Opens a batch at this time. Its `click` is undefined if none is left. */
function openBatch(
  rest: Iterator<StoredClick, void>,
  fromMs: number,
): { click: StoredClick | undefined; readonly rest: Iterator<StoredClick, void> } {
  for (;;) {
    const { value, done } = rest.next()
    if (done === true) return { click: undefined, rest }
    if (value.atMs >= fromMs) return { click: value, rest }
  }
}

async function forget(db: Database, workspaceUuid: string): Promise<boolean> {
  const { numAffectedRows: batches = 0n } = await sql`
    delete from click_batches where (workspace_uuid, day, id) in
      (select workspace_uuid, day, id from click_batches where workspace_uuid = ${workspaceUuid}
        limit ${FORGOTTEN_ROWS})`.execute(db.sql)
  return batches > 0n || forgetSums(db, workspaceUuid)
}

/** Deletes everything except the batches. */
export async function forgetSums(db: Database, workspaceUuid: string): Promise<boolean> {
  await db.sql.deleteFrom('set_aside_clicks').where('workspace_uuid', '=', workspaceUuid).execute()
  const { numAffectedRows: sums = 0n } = await sql`
    delete from click_sums where (workspace_uuid, month, id, dimension) in
      (select workspace_uuid, month, id, dimension from click_sums where workspace_uuid = ${workspaceUuid}
        limit ${FORGOTTEN_ROWS})`.execute(db.sql)
  return sums > 0n
}

/** Runs inside a write. Changes nothing if a batch no longer exists, because other batches may contain its clicks. */
async function replaceBatches(
  db: Database,
  { workspaceUuid, month }: DueMonth,
  { batches, clicks, rows }: SummedMonth,
): Promise<void> {
  let deleted = 0
  for (const [day, ofDay] of Map.groupBy(batches, (batch) => batch.day)) {
    const { numDeletedRows } = await db.sql
      .deleteFrom('click_batches')
      .where('workspace_uuid', '=', workspaceUuid)
      .where('day', '=', day)
      .where(
        'id',
        'in',
        ofDay.map(({ id }) => id),
      )
      .executeTakeFirst()
    deleted += Number(numDeletedRows)
  }
  if (deleted !== batches.length) throw new BatchesChanged()
  await insertSums(db, { workspaceUuid, month }, clicks, rows)
}

/** Runs inside a write: stores one part of a month. */
export async function insertSums(
  db: Database,
  { workspaceUuid, month }: DueMonth,
  clicks: number,
  rows: readonly SumsRow[],
): Promise<void> {
  const id = newSumsId()
  for (const { dimension, data } of rows)
    await db.sql
      .insertInto('click_sums')
      .values({ workspace_uuid: workspaceUuid, month, id, dimension, clicks, data })
      .execute()
}

class BatchesChanged extends Error {}
