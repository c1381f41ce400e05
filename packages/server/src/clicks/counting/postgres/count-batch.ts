import type { PoolClient } from 'pg'
import { newBatchId } from '../../batches/batch-id.ts'
import type { ClickBatch, Written } from '../click-store.ts'
import {
  type BatchRow,
  noteNewVisits,
  type PreparedBatch,
  withoutUsers,
  writtenOf,
} from '../prepared-batch.ts'
import type { SetAsideRow } from '../set-aside.ts'
import type { LoggedDay, VisitLog } from '../visit-log.ts'
import { clicksForWebhooks, type Watcher } from '../webhook-clicks.ts'
import { addTotals } from './totals.ts'
import { addVisits } from './visits.ts'

/** Counts the batch and moves the position, inside a transaction. `undefined`: another reader has moved it. */
export async function countBatch(
  client: PoolClient,
  log: VisitLog,
  batch: ClickBatch,
  prepared: PreparedBatch,
  setAside: readonly SetAsideRow[],
): Promise<{ readonly written: Written; readonly logged: readonly LoggedDay[] } | undefined> {
  const moved = await client.query(
    'update spool_positions set position = $1 where file = $2 and position = $3 and finished_at is null',
    [batch.to, batch.file, batch.from],
  )
  if (moved.rowCount === 0) return undefined
  const ready = await stillThere(client, batch, prepared)
  if (ready.waiting === undefined) await addTotals(client, ready.totals)
  else
    await client.query('insert into waiting_totals (id, totals) values ($1, $2)', [
      newBatchId(),
      ready.waiting,
    ])
  await tellWatchers(client, batch, ready)
  // Last, because other nodes wait from here on.
  const { ids, logged } = await addVisits(client, log, ready.visits.ids)
  noteNewVisits(ready, ids)
  await addRows(client, ready.rows)
  for (const row of setAside) await addSetAside(client, row)
  return { written: writtenOf(batch, ready), logged }
}

/**
 * Users may have been erased since the batch was prepared: nothing may be written for them any more. Those that are there
 * are locked against it, and what is written for them now is found by the erasure.
 */
async function stillThere(
  client: PoolClient,
  batch: ClickBatch,
  prepared: PreparedBatch,
): Promise<PreparedBatch> {
  const { rows } = await client.query<{ uuid: string }>(
    'select uuid from workspaces where uuid = any($1::text[]) order by uuid for key share',
    [[...prepared.userUuids]],
  )
  const there = new Set(rows.map(({ uuid }) => uuid))
  if (there.size === prepared.userUuids.size) return prepared
  const erased = [...prepared.userUuids].filter((uuid) => !there.has(uuid))
  return withoutUsers(prepared, batch, new Set(erased))
}

/** A list of bytes is sent as hexadecimal text, bytes alone as they are. */
const MOST_LISTED_BYTES = 256 * 1024

async function addRows(client: PoolClient, all: readonly BatchRow[]): Promise<void> {
  const rows = all.filter(({ data }) => data.length <= MOST_LISTED_BYTES)
  for (const { id, userDay, data } of all)
    if (data.length > MOST_LISTED_BYTES)
      await client.query(
        'insert into click_batches (user_key, day, id, open_day, clicks, data) values ($1, $2, $3, $2, $4, $5)',
        [userDay.userKey, userDay.day, id, userDay.clicks.length, data],
      )
  if (rows.length === 0) return
  await client.query(
    `insert into click_batches (user_key, day, id, open_day, clicks, data)
      select user_key, day, id, day, clicks, data
      from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[])
        as t (user_key, day, id, clicks, data)`,
    [
      rows.map(({ userDay }) => userDay.userKey),
      rows.map(({ userDay }) => userDay.day),
      rows.map(({ id }) => id),
      rows.map(({ userDay }) => userDay.clicks.length),
      rows.map(({ data }) => data),
    ],
  )
}

async function addSetAside(client: PoolClient, row: SetAsideRow): Promise<void> {
  await client.query(
    `insert into set_aside_clicks (user_key, day, id, clicks, reason, data)
      select $1::bigint, $2::bigint, $3, $4::bigint, $5, $6::bytea from workspaces where uuid = $7 for key share`,
    [row.userKey, row.day, row.id, row.clicks, row.reason, row.data, row.userUuid],
  )
}

async function tellWatchers(
  client: PoolClient,
  { clicks }: ClickBatch,
  { owners }: PreparedBatch,
): Promise<void> {
  const { rows: watchers } = await client.query<Watcher>(
    'select uuid, workspace_uuid from webhooks where wants_clicks = 1 and enabled = 1 and trashed_at = 0',
  )
  for (const row of clicksForWebhooks(clicks, owners, watchers))
    await client.query(
      'insert into webhook_clicks (uuid, webhook_uuid, workspace_uuid, count, clicks) values ($1, $2, $3, $4, $5)',
      [row.uuid, row.webhook_uuid, row.workspace_uuid, row.count, row.clicks],
    )
}
