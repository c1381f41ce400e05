import { randomBytes } from 'node:crypto'
import SqliteDatabase from 'better-sqlite3'
import type { Database as Sqlite } from 'better-sqlite3'
import { PAUSE_EVERY_CLICKS } from '../../../runtime/v8/counting-pauses.ts'
import { FINISHED_KEPT_MS } from '../click-store.ts'
import type { ClickBatch, ClickStore, Written } from '../click-store.ts'
import { addedTo, NO_TEXTS, TEXT_COLUMNS } from '../day-texts.ts'
import type { DayTexts } from '../day-texts.ts'
import type { EnrichedClick } from '../enrich.ts'
import { countsOf, Rollup, tallyOf } from '../rollup.ts'
import type { ScopeDay } from '../rollup.ts'
import { sqliteStatements } from './statements.ts'
import type { SqliteStatements } from './statements.ts'
import { totalsOf } from '../click-totals.ts'
import type { SubjectTotals } from '../click-totals.ts'

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
  return {
    async position(name) {
      const known = run.position.get(name)
      if (known === undefined) run.addFile.run(name)
      return { position: known?.position ?? 0, finished: (known?.finished_at ?? null) !== null }
    },
    async write(batch) {
      return write.immediate(batch)
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
  const rollup = new Rollup()
  let counted = 0
  const ownedClicks = function* () {
    for (const click of batch.clicks) {
      const owner = owners.get(click.subject)
      if (owner === undefined) continue
      if (counted++ % PAUSE_EVERY_CLICKS === 0) pause()
      rollup.add(click, owner)
      yield clickRow(click, owner)
    }
  }
  run.addClicks.write(ownedClicks())
  const newVisits = new Set(run.addVisits.writeAndRead(rollup.visits))
  run.addDays.write(dayRows(run, rollup.days, newVisits))
  return { counted, dropped: batch.clicks.length - counted }
}

function clickRow(click: EnrichedClick, owner: string): (string | number)[] {
  const { atMs, kind, subject, detail, country, referrer, device, browser, system, bot } = click
  const from = [detail, country, referrer, device, browser, system]
  return [atMs, kind, subject, owner, ...from, bot ? 1 : 0]
}

function* dayRows(run: SqliteStatements, days: readonly ScopeDay[], newVisits: Set<number>) {
  for (const scopeDay of days) {
    const { userKey, scopeKey, day } = scopeDay
    const counts = countsOf(scopeDay, newVisits)
    const { clicks, uniques, bots } = tallyOf(counts)
    const texts = addedTo(knownTexts(run.texts.get(userKey, scopeKey, day)), counts)
    yield [userKey, scopeKey, day, clicks, uniques, bots, ...TEXT_COLUMNS.map((column) => texts[column])]
  }
}

/** Whom each subject belongs to comes back with its new total; what is gone has no owner. */
function addTotals(run: SqliteStatements, { links, pages }: SubjectTotals): Map<string, string> {
  const owners = new Map<string, string>()
  for (const { subject, clicks, bots, lastAtMs } of links) {
    const row = run.addToLink.get(clicks, bots, lastAtMs, subject)
    if (row !== undefined) owners.set(subject, row.user_uuid)
  }
  for (const { subject, clicks } of pages) {
    const row = run.addToPage.get(clicks, subject)
    if (row !== undefined) owners.set(subject, row.user_uuid)
  }
  return owners
}

function knownTexts(row: string[] | undefined): DayTexts {
  if (row === undefined) return NO_TEXTS
  return Object.fromEntries(TEXT_COLUMNS.map((column, at) => [column, row[at]])) as DayTexts
}
