import { randomBytes } from 'node:crypto'
import { Pool } from 'pg'
import type { PoolClient } from 'pg'
import { FINISHED_KEPT_MS } from '../click-store.ts'
import type { ClickBatch, ClickStore, Written } from '../click-store.ts'
import { newBatchId } from '../../batches/batch-id.ts'
import { type Owner, packUserDay, type UserDay, UserDays } from '../../batches/user-days.ts'
import { isCode } from '../code-owners.ts'
import { SmallBatches } from '../small-batches.ts'
import { mergeOpenBatches } from './merging.ts'
import { totalsOf } from '../click-totals.ts'
import type { SubjectTotal } from '../click-totals.ts'
import type { EnrichedClick } from '../enrich.ts'
import { clicksForWebhooks, type Watcher } from '../webhook-clicks.ts'

const STATEMENT_TIMEOUT_MS = 20_000

/** One connection is enough: batches go one after the other. */
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
  const small = new SmallBatches()
  return {
    writesElsewhere: true,
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
      const written = await inTransaction(pool, (client) => count(client, batch))
      for (const { userKey, day } of written === undefined ? [] : small.dueAfter(written.batches))
        await inTransaction(pool, (client) => mergeOpenBatches(client, userKey, day, false))
      return written
    },
    async closeDays(beforeDay) {
      const { rows } = await pool.query<{ user_key: string; day: string }>(
        'select user_key, day from click_batches where open_day < $1 order by open_day limit 1',
        [beforeDay],
      )
      const [oldest] = rows
      if (oldest === undefined) return false
      const [userKey, day] = [Number(oldest.user_key), Number(oldest.day)]
      await inTransaction(pool, (client) => mergeOpenBatches(client, userKey, day, true))
      return true
    },
    async finish(file, nowMs) {
      await pool.query('update spool_positions set finished_at = $1 where file = $2', [nowMs, file])
      await pool.query('delete from spool_positions where finished_at < $1', [nowMs - FINISHED_KEPT_MS])
    },
    async salt(dayMs) {
      const made = randomBytes(24).toString('base64url')
      await pool.query('insert into visitor_salts (day, salt) values ($1, $2) on conflict do nothing', [
        dayMs,
        made,
      ])
      const { rows } = await pool.query<{ salt: string }>('select salt from visitor_salts where day = $1', [
        dayMs,
      ])
      return rows[0]?.salt ?? ''
    },
    close: () => pool.end(),
  }
}

/** `undefined` from the work means that nothing is to be kept. */
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
    // After a failure the connection may be in the middle of anything: a new one costs a millisecond.
    client.release(broken)
  }
}

async function count(client: PoolClient, batch: ClickBatch): Promise<Written | undefined> {
  const moved = await client.query(
    'update spool_positions set position = $1 where file = $2 and position = $3 and finished_at is null',
    [batch.to, batch.file, batch.from],
  )
  if (moved.rowCount === 0) return undefined
  const totals = totalsOf(batch.clicks)
  const owners = new Map([
    ...(await addToLinks(client, totals.links)),
    ...(await addToPages(client, totals.pages)),
  ])
  const userDays = new UserDays()
  let counted = 0
  for (const click of batch.clicks) {
    const owner = owners.get(click.subject)
    if (owner === undefined) continue
    counted++
    userDays.add(click, owner)
  }
  const batches = await addBatches(client, userDays)
  await tellWatchers(client, batch.clicks, owners)
  return { counted, dropped: batch.clicks.length - counted, batches, owners }
}

interface OwnerRow {
  readonly uuid: string
  readonly user_uuid: string
  readonly owner_type: string | null
  readonly domain: string
  readonly name: string
}

type Owners = [subject: string, owner: Owner][]

async function addToLinks(client: PoolClient, totals: readonly SubjectTotal[]): Promise<Owners> {
  const owners = await lockOwners(client, 'links', totals)
  if (owners.length === 0) return owners
  await client.query(
    `update links l set clicks = l.clicks + t.clicks, bot_clicks = l.bot_clicks + t.bots,
        last_click_at = greatest(l.last_click_at, t.last_at)
      from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[]) as t (uuid, clicks, bots, last_at)
      where l.uuid = t.uuid`,
    [
      totals.map(({ subject }) => subject),
      totals.map(({ clicks }) => clicks),
      totals.map(({ bots }) => bots),
      totals.map(({ lastAtMs }) => lastAtMs),
    ],
  )
  return owners
}

async function addToPages(client: PoolClient, totals: readonly SubjectTotal[]): Promise<Owners> {
  const owners = await lockOwners(client, 'pages', totals)
  if (owners.length === 0) return owners
  await client.query(
    `update pages p set views = p.views + t.views
      from unnest($1::text[], $2::bigint[]) as t (uuid, views) where p.uuid = t.uuid`,
    [totals.map(({ subject }) => subject), totals.map(({ clicks }) => clicks)],
  )
  return owners
}

/** Locks in the order of the keys, as every node does, so that two of them never wait for each other. */
async function lockOwners(
  client: PoolClient,
  table: 'links' | 'pages',
  totals: readonly SubjectTotal[],
): Promise<Owners> {
  if (totals.length === 0) return []
  const columns = table === 'links' ? 'owner_type, short_code as name' : 'null as owner_type, slug as name'
  const { rows } = await client.query<OwnerRow>(
    `select uuid, user_uuid, domain, ${columns} from ${table} where uuid = any($1::text[])
      order by uuid for no key update`,
    [totals.map(({ subject }) => subject)],
  )
  return rows.map(({ uuid, user_uuid: userUuid, owner_type, domain, name }) => [
    uuid,
    { userUuid, ofCode: isCode(owner_type), domain, name },
  ])
}

async function tellWatchers(
  client: PoolClient,
  clicks: readonly EnrichedClick[],
  owners: ReadonlyMap<string, Owner>,
): Promise<void> {
  const { rows: watchers } = await client.query<Watcher>(
    'select uuid, user_uuid from webhooks where wants_clicks = 1 and enabled = 1 and trashed_at = 0',
  )
  for (const row of clicksForWebhooks(clicks, owners, watchers))
    await client.query(
      'insert into webhook_clicks (uuid, webhook_uuid, user_uuid, count, clicks) values ($1, $2, $3, $4, $5)',
      [row.uuid, row.webhook_uuid, row.user_uuid, row.count, row.clicks],
    )
}

async function addBatches(client: PoolClient, userDays: UserDays): Promise<readonly UserDay[]> {
  const visits = await client.query<{ id: string }>(
    'insert into visits (id) select unnest($1::bigint[]) on conflict do nothing returning id',
    [userDays.visits],
  )
  const newVisits = new Set(visits.rows.map(({ id }) => Number(id)))
  const days = userDays.all
  await client.query(
    `insert into click_batches (user_key, day, id, open_day, clicks, data)
      select user_key, day, id, day, clicks, data
      from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::bytea[])
        as t (user_key, day, id, clicks, data)`,
    [
      days.map(({ userKey }) => userKey),
      days.map(({ day }) => day),
      days.map(newBatchId),
      days.map(({ clicks }) => clicks.length),
      days.map((userDay) => packUserDay(userDay, newVisits)),
    ],
  )
  return days
}
