import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../../storage/db/open.ts'
import { textOfTotals } from '../waiting-totals.ts'
import { type SqliteStatements, sqliteStatements } from './statements.ts'
import { openSqliteStore } from './store.ts'
import { addPieces, cutIntoPieces, readWaiting } from './totals.ts'

const LINKS = 450
let folder = ''
let file = ''
let db: SqliteDatabase.Database
let run: SqliteStatements

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-totals-'))
  await (await openDatabase({ url: undefined, dataDir: folder })).close()
  file = join(folder, 'waymark.db')
  db = new SqliteDatabase(file)
  db.exec(`insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
    values ('user', 'a', 'free', 0, 0, 0)`)
  const link =
    db.prepare(`insert into links (uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks,
    bot_clicks, created_at, updated_at) values (?, 'user', '', ?, 'https://example.com', 0, 302, 0, 0, 0, 0)`)
  for (let number = 0; number < LINKS; number++) link.run(`link-${number}`, `code-${number}`)
  run = sqliteStatements(db, () => undefined)
  for (const id of ['first', 'second'])
    run.addWaiting.run(id, textOfTotals({ links: linkTotals(), pages: [] }))
})
afterEach(() => {
  db.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Each link as many clicks as its number, and one bot. */
const linkTotals = () =>
  Array.from({ length: LINKS }, (_, number) => ({
    resourceUuid: `link-${number}`,
    clicks: number,
    bots: 1,
    lastAtMs: number + 1,
  }))

const wrongLinks = (): unknown[] =>
  db
    .prepare(
      `select uuid from links where clicks <> 2 * substr(uuid, 6) or bot_clicks <> 2 or last_click_at <> substr(uuid, 6) + 1`,
    )
    .all()

it('adds up what waits and adds it to every link once', async () => {
  const store = openSqliteStore(file)
  while (await store.settle());
  await store.close()
  expect(wrongLinks()).toEqual([])
  expect(run.waiting.all()).toEqual([])
})

it('leaves out the pieces that another process has added meanwhile', () => {
  const pieces = cutIntoPieces(run, readWaiting(run)!)
  expect(pieces.length).toBeGreaterThan(1)
  const others = cutIntoPieces(run, readWaiting(run)!)
  while (others.length > 0) others.splice(0, addPieces(run, others))
  while (pieces.length > 0) pieces.splice(0, addPieces(run, pieces))
  expect(wrongLinks()).toEqual([])
  expect(run.waiting.all()).toEqual([])
})

it('takes nothing whose rows another process has taken', () => {
  const waiting = readWaiting(run)!
  run.removeWaiting.run('second')
  expect(cutIntoPieces(run, waiting)).toEqual([])
  expect(run.waiting.all()).toHaveLength(1)
})
