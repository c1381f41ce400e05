import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { newBatchId } from '../../batches/batch-id.ts'
import { type Owner, packUserDay, UserDays } from '../../batches/user-days.ts'
import { PAUSE_EVERY_CLICKS } from '../../../runtime/v8/counting-pauses.ts'
import { FINISHED_KEPT_MS } from '../click-store.ts'
import type { ClickBatch, ClickStore, Written } from '../click-store.ts'
import { totalsOf } from '../click-totals.ts'
import type { SubjectTotals } from '../click-totals.ts'
import { isCode } from '../code-owners.ts'
import { SmallBatches } from '../small-batches.ts'
import { mergeOpenBatches } from './merging.ts'
import { clicksForWebhooks } from '../webhook-clicks.ts'
import { sqliteStatements } from './statements.ts'
import type { OwnerColumns, SqliteStatements } from './statements.ts'

/** The server's own writes go first: they poll for the lock while this thread may simply sleep on it. */
const LOCK_WAIT_MS = 10_000

/** `pause` is called in the middle of long work. */
export function openSqliteStore(file: string, pause: () => void = () => undefined): ClickStore {
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: LOCK_WAIT_MS })
  db.pragma('mmap_size = 0')
  db.pragma(`cache_size = ${-1024 * 8}`)
  db.pragma('temp_store = memory')
  db.pragma('secure_delete = on')
  // A power cut may take back the last batches together with their positions, while their files still stand.
  db.pragma('synchronous = normal')
  const run = sqliteStatements(db, pause)
  const write = db.transaction((batch: ClickBatch) => count(run, batch, pause))
  const merge = db.transaction((userKey: number, day: number, closing: boolean) =>
    mergeOpenBatches(run, userKey, day, closing),
  )
  const small = new SmallBatches()
  return {
    writesElsewhere: false,
    async position(name) {
      const known = run.position.get(name)
      if (known === undefined) run.addFile.run(name)
      return { position: known?.position ?? 0, finished: (known?.finished_at ?? null) !== null }
    },
    async write(batch) {
      const written = write.immediate(batch)
      for (const { userKey, day } of written === undefined ? [] : small.dueAfter(written.batches))
        merge.immediate(userKey, day, false)
      return written
    },
    async closeDays(beforeDay) {
      const oldest = run.oldestOpen.get(beforeDay)
      if (oldest === undefined) return false
      merge.immediate(oldest.user_key, oldest.day, true)
      return true
    },
    async finish(name, nowMs) {
      durably(db, () => {
        run.finish.run(nowMs, name)
        run.forgetFinished.run(nowMs - FINISHED_KEPT_MS)
      })
    },
    async salt(dayMs) {
      run.addSalt.run(dayMs, randomBytes(24).toString('base64url'))
      return run.salt.get(dayMs)?.salt ?? ''
    },
    async close() {
      db.close()
    },
  }
}

/** Before a file is deleted, what was read from it must be where a power cut cannot take it. */
function durably(db: Sqlite, work: () => void): void {
  db.pragma('synchronous = full')
  try {
    db.transaction(work).immediate()
  } finally {
    db.pragma('synchronous = normal')
  }
}

function count(run: SqliteStatements, batch: ClickBatch, pause: () => void): Written | undefined {
  if (run.move.run(batch.to, batch.file, batch.from).changes === 0) return undefined
  const owners = addTotals(run, totalsOf(batch.clicks))
  const userDays = new UserDays()
  let counted = 0
  for (const click of batch.clicks) {
    const owner = owners.get(click.subject)
    if (owner === undefined) continue
    if (counted++ % PAUSE_EVERY_CLICKS === 0) pause()
    userDays.add(click, owner)
  }
  const newVisits = new Set(run.addVisits.writeAndRead(userDays.visits))
  const batches = userDays.all
  for (const userDay of batches) {
    const { userKey, day, clicks } = userDay
    const data = packUserDay(userDay, newVisits)
    run.addBatch.run(userKey, day, newBatchId(), day, clicks.length, data)
    pause()
  }
  const told = clicksForWebhooks(batch.clicks, owners, run.watchers.all())
  run.addToldClicks.write(
    told.map((row) => [row.uuid, row.webhook_uuid, row.user_uuid, row.count, row.clicks]),
  )
  return { counted, dropped: batch.clicks.length - counted, batches, owners }
}

/** Returns whom each subject belongs to; what is gone has no owner. */
function addTotals(run: SqliteStatements, { links, pages }: SubjectTotals): Map<string, Owner> {
  const owners = new Map<string, Owner>()
  for (const { subject, clicks, bots, lastAtMs } of links) {
    const row = run.linkOwner.get(subject)
    if (row === undefined) continue
    owners.set(subject, ownerOf(row))
    run.addToLink.run(clicks, bots, lastAtMs, subject)
  }
  for (const { subject, clicks } of pages) {
    const row = run.pageOwner.get(subject)
    if (row === undefined) continue
    owners.set(subject, ownerOf(row))
    run.addToPage.run(clicks, subject)
  }
  return owners
}

function ownerOf([userUuid, ownerType, domain, name]: OwnerColumns): Owner {
  return { userUuid, ofCode: isCode(ownerType), domain, name }
}
