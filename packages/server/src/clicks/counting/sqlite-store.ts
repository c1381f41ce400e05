import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { emptyLog } from '../../storage/db/write-ahead-log.ts'
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
  isCode,
  newBatchId,
  prepareBatch,
  type PreparedBatch,
  type ResourceTotals,
  totalsOf,
  withoutWorkspaces,
  writtenOf,
} from './prepared-batch.ts'
import { type SetAsideRow, setAsideRows } from './set-aside.ts'
import { clicksForWebhooks, type Watcher } from './webhook-clicks.ts'

/** The server's own writes have priority: they poll for the lock while this thread sleeps on it. */
const LOCK_WAIT_MS = 10_000
/** A batch of this size, each click on another link, delays writes of the server by some 20 ms. */
const MAX_CLICKS = 5_000

export function openSqliteStore(file: string): ClickStore {
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: LOCK_WAIT_MS })
  db.pragma('mmap_size = 0')
  db.pragma(`cache_size = ${-1024 * 8}`)
  db.pragma('temp_store = memory')
  db.pragma('secure_delete = on')
  // A power cut may undo the last batches, but then also their positions, and their files still exist.
  db.pragma('synchronous = normal')
  const run = statements(db)
  const readOwners = db.transaction((totals: ResourceTotals) => ownersOf(run, totals))
  const write = db.transaction(
    (batch: ClickBatch, prepared: PreparedBatch, aside: readonly SetAsideRow[]) => {
      const written = countBatch(run, batch, prepared, aside)
      if (batch.isTrial === true) throw ROLLED_BACK
      return written
    },
  )
  const merge = db.transaction((openDay: OpenDay, closing: boolean, id?: string) =>
    mergeOpenBatches(run, openDay, closing, id),
  )
  const setAside = db.transaction(({ workspaceUuid, day }: OpenDay, id: string, reason: string) => {
    run.setBatchAside.run(reason, workspaceUuid, day, id)
    run.removeBatch.run(workspaceUuid, day, id)
  })
  const salt = rememberingSalts(async (dayMs) => {
    const known = run.salt.get(dayMs)
    if (known !== undefined) return known
    run.addSalt.run(dayMs, randomBytes(24).toString('base64url'))
    return run.salt.get(dayMs) ?? ''
  })
  return {
    mostClicks: MAX_CLICKS,
    async position(name) {
      const stored = run.position.get(name)
      if (stored === undefined) run.addFile.run(name)
      return { position: stored?.position ?? 0, finished: (stored?.finished_at ?? null) !== null }
    },
    async write(batch) {
      const totals = totalsOf(batch.clicks)
      const prepared = await prepareBatch(batch, totals, readOwners(totals), salt)
      const aside = setAsideRows(batch, readOwners(totalsOf(batch.setAside?.clicks ?? [])))
      return unlessRolledBack(() => write.immediate(batch, prepared, aside))
    },
    async oldestOpenDay(beforeDay, except) {
      return run.oldestOpen.get(beforeDay, JSON.stringify(except))
    },
    async openBatches({ workspaceUuid, day }) {
      return run.openBatches.all(workspaceUuid, day).map(({ id }) => id)
    },
    async merge(openDay, closing, id) {
      merge.immediate(openDay, closing, id)
    },
    async setAside(openDay, id, reason) {
      setAside.immediate(openDay, id, reason)
    },
    async finish(name, nowMs) {
      durably(db, () => {
        run.finish.run(nowMs, name)
        run.forgetFinished.run(nowMs - FINISHED_KEPT_MS)
      })
    },
    emptyLog() {
      emptyLog(db)
    },
    salt,
    async close() {
      db.close()
    },
  }
}

type Statements = ReturnType<typeof statements>

function ownersOf(run: Statements, { links, pages }: ResourceTotals): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  const read = (statement: Statements['linkOwner'], totals: ResourceTotals['links']): void => {
    for (const { resourceUuid } of totals) {
      const row = statement.get(resourceUuid)
      if (row === undefined) continue
      const [workspaceUuid, ownerType, domain, name] = row
      owners.set(resourceUuid, { workspaceUuid, ofCode: isCode(ownerType), domain, name })
    }
  }
  read(run.linkOwner, links)
  read(run.pageOwner, pages)
  return owners
}

/** Inside a transaction. `undefined`: another reader has moved the position. */
function countBatch(
  run: Statements,
  batch: ClickBatch,
  prepared: PreparedBatch,
  setAside: readonly SetAsideRow[],
): Written | undefined {
  if (run.move.run(batch.to, batch.file, batch.from).changes === 0) return undefined
  // Workspaces may have been erased since the batch was prepared, and nothing may be written for them.
  const erased = [...prepared.workspaceUuids].filter((uuid) => run.workspace.get(uuid) === undefined)
  const ready = withoutWorkspaces(prepared, new Set(erased))
  for (const { workspaceUuid, day, id, firstAtMs, clicks, data } of ready.rows)
    run.addBatch.run(workspaceUuid, day, id, day, firstAtMs, clicks, data)
  for (const { resourceUuid, clicks } of ready.totals.pages) run.addToPage.run(clicks, resourceUuid)
  for (const { resourceUuid, clicks, bots, lastAtMs } of ready.totals.links)
    run.addToLink.run(clicks, bots, lastAtMs, resourceUuid)
  for (const { workspaceUuid, day, id, clicks, reason, data } of setAside)
    run.addSetAside.run(workspaceUuid, day, id, clicks, reason, data, workspaceUuid)
  for (const row of clicksForWebhooks(batch.clicks, ready.owners, run.watchers.all()))
    run.addWebhookClicks.run(row.uuid, row.webhook_uuid, row.workspace_uuid, row.count, row.clicks)
  return writtenOf(batch, ready)
}

/** Inside a transaction. */
function mergeOpenBatches(
  run: Statements,
  { workspaceUuid, day }: OpenDay,
  closing: boolean,
  id: string | undefined,
): void {
  const chosen = batchesToMerge(run.openBatches.all(workspaceUuid, day), closing, id)
  if (chosen.length === 0) return
  const batches = chosen.map((batch) => new Batch(run.batchData.get(workspaceUuid, day, batch.id)!))
  const packed = mergeBatches(batches)
  for (const old of chosen) run.removeBatch.run(workspaceUuid, day, old.id)
  const merged = new Batch(packed)
  const openDay = closing ? null : day
  run.addBatch.run(
    workspaceUuid,
    day,
    newBatchId(),
    openDay,
    day + (merged.times[0] ?? 0),
    merged.clicks,
    packed,
  )
}

type OwnerColumns = [workspaceUuid: string, ownerType: string | null, domain: string, name: string]
type BatchKey = [workspaceUuid: string, day: number, id: string]

function statements(db: Sqlite) {
  return {
    position: db.prepare<[string], { position: number; finished_at: number | null }>(
      'select position, finished_at from spool_positions where file = ?',
    ),
    addFile: db.prepare<[string]>(
      'insert into spool_positions (file, position) values (?, 0) on conflict do nothing',
    ),
    move: db.prepare<[number, string, number]>(
      'update spool_positions set position = ? where file = ? and position = ? and finished_at is null',
    ),
    finish: db.prepare<[number, string]>('update spool_positions set finished_at = ? where file = ?'),
    forgetFinished: db.prepare<[number]>('delete from spool_positions where finished_at < ?'),
    addSalt: db.prepare<[number, string]>(
      'insert into visitor_salts (day, salt) values (?, ?) on conflict do nothing',
    ),
    salt: db.prepare<[number], string>('select salt from visitor_salts where day = ?').pluck(),
    watchers: db.prepare<[], Watcher>(
      'select uuid, workspace_uuid from webhooks where wants_clicks = 1 and enabled = 1 and trashed_at = 0',
    ),
    addWebhookClicks: db.prepare<[string, string, string, number, string]>(
      'insert into webhook_clicks (uuid, webhook_uuid, workspace_uuid, count, clicks) values (?, ?, ?, ?, ?)',
    ),
    linkOwner: db
      .prepare<[string], OwnerColumns>(
        'select workspace_uuid, owner_type, domain, short_code from links where uuid = ?',
      )
      .raw(),
    pageOwner: db
      .prepare<[string], OwnerColumns>('select workspace_uuid, null, domain, slug from pages where uuid = ?')
      .raw(),
    workspace: db.prepare<[string], 1>('select 1 from workspaces where uuid = ?').pluck(),
    // Without `returning`, which would double the cost of the update.
    addToLink: db.prepare<[number, number, number | null, string]>(
      `update links set clicks = clicks + ?, bot_clicks = bot_clicks + ?,
        last_click_at = nullif(max(coalesce(last_click_at, 0), coalesce(?, 0)), 0) where uuid = ?`,
    ),
    addToPage: db.prepare<[number, string]>('update pages set views = views + ? where uuid = ?'),
    addBatch: db.prepare<[string, number, string, number | null, number, number, Uint8Array]>(
      `insert into click_batches (workspace_uuid, day, id, open_day, first_at, clicks, data)
        values (?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeBatch: db.prepare<BatchKey>(
      'delete from click_batches where workspace_uuid = ? and day = ? and id = ?',
    ),
    openBatches: db.prepare<[string, number], { id: string; clicks: number; bytes: number }>(
      `select id, clicks, length(data) as bytes from click_batches
        where workspace_uuid = ? and day = ? and open_day is not null order by first_at, id`,
    ),
    batchData: db
      .prepare<BatchKey, Uint8Array>(
        'select data from click_batches where workspace_uuid = ? and day = ? and id = ?',
      )
      .pluck(),
    oldestOpen: db.prepare<[number, string], OpenDay>(
      `select workspace_uuid as workspaceUuid, day from click_batches where open_day < ?
        and (workspace_uuid, day) not in
          (select value ->> 'workspaceUuid', value ->> 'day' from json_each(?)) order by open_day limit 1`,
    ),
    setBatchAside: db.prepare<[string, ...BatchKey]>(
      `insert into set_aside_clicks (workspace_uuid, day, id, clicks, reason, data)
        select workspace_uuid, day, id, clicks, ?, data from click_batches
        where workspace_uuid = ? and day = ? and id = ?`,
    ),
    addSetAside: db.prepare<[string, number, string, number, string, Uint8Array, string]>(
      `insert into set_aside_clicks (workspace_uuid, day, id, clicks, reason, data)
        select ?, ?, ?, ?, ?, ? from workspaces where uuid = ?`,
    ),
  }
}

/** Thrown to roll back a trial. */
const ROLLED_BACK = new Error('Rolled back')

function unlessRolledBack<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error === ROLLED_BACK) return undefined
    throw error
  }
}

/** Before a spool file is deleted, its clicks must be flushed to disk. */
function durably(db: Sqlite, work: () => void): void {
  db.pragma('synchronous = full')
  try {
    db.transaction(work).immediate()
  } finally {
    db.pragma('synchronous = normal')
  }
}
