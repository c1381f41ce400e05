import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { emptyLog } from '../../../storage/db/empty-log.ts'
import { noPause, type Pause } from '../../../work/v8/counting-pauses.ts'
import { type ClickStore, FINISHED_KEPT_MS, type OpenDay } from '../click-store.ts'
import { type ResourceTotals, totalsOf } from '../click-totals.ts'
import { prepareBatch } from '../prepared-batch.ts'
import { setAsideRows } from '../set-aside.ts'
import { daysOfVisits, VisitLog } from '../visit-log.ts'
import { BatchSize, spentMs } from './batch-size.ts'
import { countBatch } from './count-batch.ts'
import { KnownOwners } from './known-owners.ts'
import { mergeOpenBatches } from './merging.ts'
import { sqliteStatements } from './statements.ts'
import { addPieces, cutIntoPieces, readWaiting, type WaitingPiece } from './totals.ts'
import { mergeLogged, readLog } from './visits.ts'
import { SqliteWeeks } from './weeks.ts'

/** The server's own writes go first: they poll for the lock while this thread may simply sleep on it. */
const LOCK_WAIT_MS = 10_000

export function openSqliteStore(file: string, pause: Pause = noPause, log = new VisitLog()): ClickStore {
  const db = new SqliteDatabase(file, { fileMustExist: true, timeout: LOCK_WAIT_MS })
  db.pragma('mmap_size = 0')
  db.pragma(`cache_size = ${-1024 * 8}`)
  db.pragma('temp_store = memory')
  db.pragma('secure_delete = on')
  // A power cut may take back the last batches together with their positions, while their files still stand.
  db.pragma('synchronous = normal')
  const run = sqliteStatements(db, pause)
  const weeks = new SqliteWeeks(db)
  const size = new BatchSize()
  const known = new KnownOwners()
  const readOwners = db.transaction((totals: ResourceTotals) => known.read(run, totals))
  const write = db.transaction((...work: Parameters<typeof countBatch>) => {
    const before = spentMs()
    const counted = countBatch(...work)
    size.note(work[2].clicks.length, spentMs() - before)
    if (work[2].isTrial === true) throw ROLLED_BACK
    return counted
  })
  const mergeLog = db.transaction(mergeLogged)
  const cut = db.transaction(cutIntoPieces)
  const add = db.transaction(addPieces)
  let pieces: WaitingPiece[] = []
  const merge = db.transaction((openDay: OpenDay, closing: boolean, id?: string) =>
    mergeOpenBatches(run, weeks, openDay, closing, id),
  )
  const setAside = db.transaction(({ userKey, day }: OpenDay, id: string, reason: string) => {
    run.setBatchAside.run(reason, userKey, day, id)
    run.removeBatch.run(userKey, day, id)
  })
  return {
    writesElsewhere: false,
    get mostClicks() {
      return size.clicks
    },
    async position(name) {
      const kept = run.position.get(name)
      if (kept === undefined) run.addFile.run(name)
      return { position: kept?.position ?? 0, finished: (kept?.finished_at ?? null) !== null }
    },
    async write(batch) {
      const totals = totalsOf(batch.clicks, pause)
      const prepared = prepareBatch(batch, totals, readOwners(totals), pause)
      const days = daysOfVisits(prepared.visits.ids)
      log.open(days)
      // Before others have to wait: after a start it is a whole day.
      readLog(run, log, days)
      const aside = setAsideRows(batch, readOwners(totalsOf(batch.setAside?.clicks ?? [])))
      const counted = unlessRolledBack(() => write.immediate(run, log, batch, prepared, aside))
      if (counted === undefined) return undefined
      const { written, logged } = counted
      for (const day of logged) if (log.note(day)) mergeLog.immediate(run, day.day)
      return written
    },
    async settle() {
      if (pieces.length === 0) {
        const waiting = readWaiting(run)
        if (waiting === undefined) return false
        pieces = cut.immediate(run, waiting)
      }
      pieces.splice(0, add.immediate(run, pieces))
      return true
    },
    async oldestOpenDay(beforeDay, except) {
      return run.oldestOpen.get(beforeDay, JSON.stringify(except))
    },
    async openBatches({ userKey, day }) {
      return run.openBatches.all(userKey, day).map(({ id }) => id)
    },
    async merge(openDay, closing, id) {
      merge.immediate(openDay, closing, id)
    },
    async setAside(openDay, id, reason) {
      setAside.immediate(openDay, id, reason)
    },
    async sumWeek() {
      return weeks.sumNext()
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
    async salt(dayMs) {
      run.addSalt.run(dayMs, randomBytes(24).toString('base64url'))
      return run.salt.get(dayMs)?.salt ?? ''
    },
    async close() {
      db.close()
    },
  }
}

/** A trial was carried out, and nothing of it stays. */
const ROLLED_BACK = new Error('Rolled back')

function unlessRolledBack<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch (error) {
    if (error === ROLLED_BACK) return undefined
    throw error
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
