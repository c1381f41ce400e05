import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import type { Tables } from '../../storage/db/tables.ts'
import { DAY_MS } from '../../work/times.ts'
import type { Periods, Range } from './figures.ts'
import type { FiguresQuery } from './statistics.ts'
import { addSums, monthOf, type SumsRow } from './sums.ts'

/** The part of a database that reading needs. SQLite's thread has only this part. */
export type Reading = Pick<Database, 'engine'> & { readonly sql: Kysely<Tables> }

const FORGOTTEN_ROWS = 50

const newSumsId = createIds()

export interface WorkspaceMonth {
  readonly workspaceUuid: string
  readonly month: number
}

/** Runs inside a write: stores one part of a month. */
export async function insertSums(
  db: Database,
  { workspaceUuid, month }: WorkspaceMonth,
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

/** Runs inside a write: deletes some of a workspace's sums, and clicks that were set aside; false if nothing was left. */
export async function forgetSums(db: Database, workspaceUuid: string): Promise<boolean> {
  await db.sql.deleteFrom('set_aside_clicks').where('workspace_uuid', '=', workspaceUuid).execute()
  const { numAffectedRows: sums = 0n } = await sql`
    delete from click_sums where (workspace_uuid, month, id, dimension) in
      (select workspace_uuid, month, id, dimension from click_sums where workspace_uuid = ${workspaceUuid}
        limit ${FORGOTTEN_ROWS})`.execute(db.sql)
  return sums > 0n
}
