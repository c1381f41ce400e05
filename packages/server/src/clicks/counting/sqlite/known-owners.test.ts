import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '../../../storage/db/open.ts'
import { KnownOwners } from './known-owners.ts'
import { sqliteStatements } from './statements.ts'

const LINK = 'link-1'
let folder = ''
let db: SqliteDatabase.Database
let other: SqliteDatabase.Database

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waymark-owners-'))
  await (await openDatabase({ url: undefined, dataDir: folder })).close()
  const file = join(folder, 'waymark.db')
  db = new SqliteDatabase(file)
  other = new SqliteDatabase(file)
  other.exec(`insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
    values ('user-1', 'a', 'free', 0, 0, 0), ('user-2', 'b', 'free', 0, 0, 0)`)
  other.exec(`insert into links (uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks, bot_clicks,
    created_at, updated_at) values ('${LINK}', 'user-1', '', 'spring', 'https://example.com', 0, 302, 0, 0, 0, 0)`)
})
afterEach(() => {
  db.close()
  other.close()
  rmSync(folder, { recursive: true, force: true })
})

function reader(): () => { userUuid: string; name: string } | undefined {
  const run = sqliteStatements(db, () => undefined)
  const known = new KnownOwners()
  const links = [{ resourceUuid: LINK, clicks: 1, bots: 0, lastAtMs: 1 }]
  return db.transaction(() => known.read(run, { links, pages: [] }).get(LINK))
}

it('sees at once what another connection has changed or removed', () => {
  const owner = reader()
  expect(owner()).toMatchObject({ userUuid: 'user-1', name: 'spring' })
  other.exec(`update links set workspace_uuid = 'user-2', short_code = 'summer'`)
  expect(owner()).toMatchObject({ userUuid: 'user-2', name: 'summer' })
  other.exec('delete from links')
  expect(owner()).toBeUndefined()
  other.exec(`update users set email = 'c@example.com' where uuid = 'user-1'`)
  expect(owner()).toBeUndefined()
})

it('asks once as long as only its own connection writes', () => {
  const owner = reader()
  owner()
  // Counting never changes an owner; this shows that the row is not read again.
  db.exec(`update links set short_code = 'unseen'`)
  expect(owner()).toMatchObject({ name: 'spring' })
  other.exec(`update links set title = 'any change'`)
  expect(owner()).toMatchObject({ name: 'unseen' })
})
