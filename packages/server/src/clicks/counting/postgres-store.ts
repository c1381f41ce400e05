import { randomBytes } from 'node:crypto'
import { Pool, type PoolClient } from 'pg'
import { batchesToMerge } from '../batches/merging.ts'
import { Batch, mergeBatches } from '../batches/packed-batch.ts'
import {
  type ClickBatch,
  type ClickStore,
  FINISHED_KEPT_MS,
  type OpenDay,
  type Owner,
  rememberingSalts,
  type Written,
} from './click-store.ts'
import {
  type BatchRow,
  isCode,
  newBatchId,
  prepareBatch,
  type PreparedBatch,
  type ResourceTotal,
  type ResourceTotals,
  totalsOf,
  withoutWorkspaces,
  writtenOf,
} from './prepared-batch.ts'
import { type SetAsideRow, setAsideRows } from './set-aside.ts'
import { clicksForWebhooks, type Watcher } from './webhook-clicks.ts'

/** In larger batches more clicks share each statement. */
const MAX_CLICKS = 20_000
const STATEMENT_TIMEOUT_MS = 20_000

/** One connection is enough: batches are stored one after another. */
export function openPostgresStore(url: string, onError: (error: Error) => void): ClickStore {
  const pool = new Pool({
    connectionString: url,
    application_name: 'waymark clicks',
    max: 1,
    connectionTimeoutMillis: 3_000,
    query_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
  })
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', () => undefined))
  const salt = rememberingSalts(async (dayMs) => {
    await pool.query('insert into visitor_salts (day, salt) values ($1, $2) on conflict do nothing', [
      dayMs,
      randomBytes(24).toString('base64url'),
    ])
    const { rows } = await pool.query<{ salt: string }>('select salt from visitor_salts where day = $1', [
      dayMs,
    ])
    return rows[0]?.salt ?? ''
  })
  return {
    mostClicks: MAX_CLICKS,
    async position(file) {
      await pool.query('insert into spool_positions (file, position) values ($1, 0) on conflict do nothing', [
        file,
      ])
      const { rows } = await pool.query<{ position: string; finished_at: string | null }>(
        'select position, finished_at from spool_positions where file = $1',
        [file],
      )
      return { position: Number(rows[0]?.position), finished: rows[0]?.finished_at !== null }
    },
    async write(batch) {
      const totals = totalsOf(batch.clicks)
      const prepared = await prepareBatch(batch, totals, await ownersOf(pool, totals), salt)
      const aside = setAsideRows(batch, await ownersOf(pool, totalsOf(batch.setAside?.clicks ?? [])))
      return inTransaction(pool, async (client) => {
        const written = await countBatch(client, batch, prepared, aside)
        return batch.isTrial === true ? undefined : written
      })
    },
    async oldestOpenDay(beforeDay, except) {
      const { rows } = await pool.query<{ workspace_uuid: string; day: string }>(
        `select workspace_uuid, day from click_batches where open_day < $1
          and (workspace_uuid, day) not in (select * from unnest($2::text[], $3::bigint[]))
          order by open_day limit 1`,
        [beforeDay, except.map(({ workspaceUuid }) => workspaceUuid), except.map(({ day }) => day)],
      )
      const [oldest] = rows
      return oldest && { workspaceUuid: oldest.workspace_uuid, day: Number(oldest.day) }
    },
    async openBatches({ workspaceUuid, day }) {
      const { rows } = await pool.query<{ id: string }>(
        `select id from click_batches where workspace_uuid = $1 and day = $2 and open_day is not null
          order by first_at, id`,
        [workspaceUuid, day],
      )
      return rows.map(({ id }) => id)
    },
    async merge(openDay, closing, id) {
      await inTransaction(pool, (client) => mergeOpenBatches(client, openDay, closing, id))
    },
    async setAside({ workspaceUuid, day }, id, reason) {
      await pool.query(
        `with gone as (delete from click_batches where workspace_uuid = $1 and day = $2 and id = $3 returning *)
          insert into set_aside_clicks (workspace_uuid, day, id, clicks, reason, data)
          select workspace_uuid, day, id, clicks, $4, data from gone`,
        [workspaceUuid, day, id, reason],
      )
    },
    async finish(file, nowMs) {
      await pool.query('update spool_positions set finished_at = $1 where file = $2', [nowMs, file])
      await pool.query('delete from spool_positions where finished_at < $1', [nowMs - FINISHED_KEPT_MS])
    },
    emptyLog() {
      // PostgreSQL does checkpoints itself.
    },
    salt,
    close: () => pool.end(),
  }
}

interface OwnerRow {
  readonly uuid: string
  readonly workspace_uuid: string
  readonly owner_type: string | null
  readonly domain: string
  readonly name: string
}

async function ownersOf(db: Pool, { links, pages }: ResourceTotals): Promise<Map<string, Owner>> {
  const owners = new Map<string, Owner>()
  const read = async (table: string, columns: string, totals: readonly ResourceTotal[]): Promise<void> => {
    if (totals.length === 0) return
    const { rows } = await db.query<OwnerRow>(
      `select uuid, workspace_uuid, domain, ${columns} from ${table} where uuid = any($1::text[])`,
      [uuidsOf(totals)],
    )
    for (const { uuid, workspace_uuid: workspaceUuid, owner_type, domain, name } of rows)
      owners.set(uuid, { workspaceUuid, ofCode: isCode(owner_type), domain, name })
  }
  await read('links', 'owner_type, short_code as name', links)
  await read('pages', 'null as owner_type, slug as name', pages)
  return owners
}

/** Inside a transaction. `undefined`: another reader has moved the position. */
async function countBatch(
  client: PoolClient,
  batch: ClickBatch,
  prepared: PreparedBatch,
  setAside: readonly SetAsideRow[],
): Promise<Written | undefined> {
  const moved = await client.query(
    'update spool_positions set position = $1 where file = $2 and position = $3 and finished_at is null',
    [batch.to, batch.file, batch.from],
  )
  if (moved.rowCount === 0) return undefined
  const ready = await withoutErased(client, prepared)
  await addRows(client, ready.rows)
  for (const { workspaceUuid, day, id, clicks, reason, data } of setAside)
    await client.query(
      `insert into set_aside_clicks (workspace_uuid, day, id, clicks, reason, data)
        select uuid, $2::bigint, $3, $4::bigint, $5, $6::bytea from workspaces where uuid = $1 for key share`,
      [workspaceUuid, day, id, clicks, reason, data],
    )
  await addWebhookClicks(client, batch, ready)
  // Last, because other nodes wait for these rows.
  await addTotals(client, ready.totals)
  return writtenOf(batch, ready)
}

/**
 * Workspaces may have been erased since the batch was prepared, and nothing may be written for them. The others are locked
 * against erasure, which then finds what is written now.
 */
async function withoutErased(client: PoolClient, prepared: PreparedBatch): Promise<PreparedBatch> {
  const { rows } = await client.query<{ uuid: string }>(
    'select uuid from workspaces where uuid = any($1::text[]) order by uuid for key share',
    [[...prepared.workspaceUuids]],
  )
  const existing = new Set(rows.map(({ uuid }) => uuid))
  const erased = [...prepared.workspaceUuids].filter((uuid) => !existing.has(uuid))
  return withoutWorkspaces(prepared, new Set(erased))
}

/** node-postgres sends a list of buffers as hexadecimal text, but a single buffer as it is. */
const MAX_LISTED_BYTES = 256 * 1024

async function addRows(client: PoolClient, rows: readonly BatchRow[]): Promise<void> {
  const { listed = [], single = [] } = Object.groupBy(rows, ({ data }) =>
    data.length <= MAX_LISTED_BYTES ? 'listed' : 'single',
  )
  for (const row of single) await addRow(client, row, row.day)
  if (listed.length === 0) return
  await client.query(
    `insert into click_batches (workspace_uuid, day, id, open_day, first_at, clicks, data)
      select workspace_uuid, day, id, day, first_at, clicks, data
      from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[], $5::bigint[], $6::bytea[])
        as t (workspace_uuid, day, id, first_at, clicks, data)`,
    [
      listed.map(({ workspaceUuid }) => workspaceUuid),
      listed.map(({ day }) => day),
      listed.map(({ id }) => id),
      listed.map(({ firstAtMs }) => firstAtMs),
      listed.map(({ clicks }) => clicks),
      listed.map(({ data }) => data),
    ],
  )
}

async function addRow(client: PoolClient, row: BatchRow, openDay: number | null): Promise<void> {
  await client.query(
    `insert into click_batches (workspace_uuid, day, id, open_day, first_at, clicks, data)
      values ($1, $2, $3, $4, $5, $6, $7)`,
    [row.workspaceUuid, row.day, row.id, openDay, row.firstAtMs, row.clicks, row.data],
  )
}

async function addWebhookClicks(
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

async function addTotals(client: PoolClient, { links, pages }: ResourceTotals): Promise<void> {
  if (links.length > 0) {
    await lock(client, 'links', links)
    await client.query(
      `update links l set clicks = l.clicks + t.clicks, bot_clicks = l.bot_clicks + t.bots,
          last_click_at = greatest(l.last_click_at, t.last_at)
        from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as t (uuid, clicks, bots, last_at)
        where l.uuid = t.uuid`,
      [
        uuidsOf(links),
        links.map(({ clicks }) => clicks),
        links.map(({ bots }) => bots),
        links.map(({ lastAtMs }) => lastAtMs),
      ],
    )
  }
  if (pages.length > 0) {
    await lock(client, 'pages', pages)
    await client.query(
      `update pages p set views = p.views + t.views
        from unnest($1::text[], $2::bigint[]) as t (uuid, views) where p.uuid = t.uuid`,
      [uuidsOf(pages), pages.map(({ clicks }) => clicks)],
    )
  }
}

/** Every node locks in key order, which prevents deadlocks. */
async function lock(client: PoolClient, table: string, totals: readonly ResourceTotal[]): Promise<void> {
  await client.query(
    `select count(*) from (select from ${table} where uuid = any($1::text[])
      order by uuid for no key update) as locked`,
    [uuidsOf(totals)],
  )
}

const uuidsOf = (totals: readonly ResourceTotal[]): string[] => totals.map(({ resourceUuid }) => resourceUuid)

/** Runs inside a transaction. Two nodes never take the same batches. */
async function mergeOpenBatches(
  client: PoolClient,
  { workspaceUuid, day }: OpenDay,
  closing: boolean,
  id: string | undefined,
): Promise<true> {
  const { rows: open } = await client.query<{ id: string; clicks: string; bytes: number }>(
    `select id, clicks, length(data) as bytes from click_batches
      where workspace_uuid = $1 and day = $2 and open_day is not null
      order by first_at, id for update skip locked`,
    [workspaceUuid, day],
  )
  const sizes = open.map((batch) => ({ ...batch, clicks: Number(batch.clicks) }))
  const chosen = batchesToMerge(sizes, closing, id)
  if (chosen.length === 0) return true
  const { rows } = await client.query<{ data: Uint8Array }>(
    'delete from click_batches where workspace_uuid = $1 and day = $2 and id = any($3::text[]) returning data',
    [workspaceUuid, day, chosen.map((batch) => batch.id)],
  )
  const data = mergeBatches(rows.map((row) => new Batch(row.data)))
  const { clicks, times } = new Batch(data)
  const firstAtMs = day + (times[0] ?? 0)
  await addRow(
    client,
    { id: newBatchId(), workspaceUuid, day, firstAtMs, clicks, data },
    closing ? null : day,
  )
  return true
}

/** Rolls back if `work` returns `undefined`. */
async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T | undefined>) {
  const client = await pool.connect()
  let broken: Error | undefined
  try {
    await client.query('begin')
    const result = await work(client)
    await client.query(result === undefined ? 'rollback' : 'commit')
    return result
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error))
    throw error
  } finally {
    // After a failure the connection is in an unknown state: a new one costs a millisecond.
    client.release(broken)
  }
}
