import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { askServices } from './testing.ts'

let primary: Record<string, string>
let standby: Record<string, string>
let admin: Client
let dataDir = ''
const faults: string[] = []
const opened: Database[] = []

const open = async (readUrl: string | undefined): Promise<Database> => {
  const report = (error: unknown): void => void faults.push((error as Error).message)
  const db = await openDatabase({ url: primary['url'], readUrl, dataDir, report, connectTimeoutMs: 1_000 })
  opened.push(db)
  return db
}

/** Which of the two servers is used: only a standby is in recovery. */
const where = async (db: Database): Promise<'standby' | 'primary'> => {
  const { rows } = await sql<{ at: boolean }>`select pg_is_in_recovery() as at`.execute(db.sql)
  return rows[0]?.at === true ? 'standby' : 'primary'
}

const put = (db: Database, name: string, value: number): Promise<unknown> =>
  db.write(() =>
    db.sql
      .insertInto('sequences')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute(),
  )

const look = async (db: Database, name: string): Promise<number | undefined> =>
  (await db.sql.selectFrom('sequences').select('value').where('name', '=', name).executeTakeFirst())?.value

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waymark-replica-'))
  primary = await askServices('own/postgres')
  standby = await askServices(`own/${primary['id']}/standby`)
  admin = new Client({ connectionString: standby['adminUrl'] })
  admin.on('error', () => undefined)
  await admin.connect()
})
afterEach(async () => {
  for (const db of opened.splice(0)) await db.close()
  faults.length = 0
})
afterAll(async () => {
  await admin.end()
  await askServices(`own/${standby['id']}/stop`)
  await askServices(`own/${primary['id']}/stop`)
  await rm(dataDir, { recursive: true, force: true })
})

it('reads from the replica, including what another node has just written', async () => {
  const [here, there] = [await open(standby['url']), await open(standby['url'])]
  let fromStandby = 0
  for (let n = 1; n <= 100; n++) {
    await put(here, 'latest', n)
    const [value, place] = await there.read(async () => [await look(there, 'latest'), await where(there)])
    expect(value).toBe(n)
    if (place === 'standby') fromStandby++
  }
  // Sometimes the replica is not fast enough, and the primary is used.
  expect(fromStandby).toBeGreaterThan(50)
  expect(faults).toEqual([])
})

it('reads from the primary while the replica lags behind', async () => {
  const db = await open(standby['url'])
  await admin.query('select pg_wal_replay_pause()')
  try {
    await put(db, 'lag', 1)
    expect(await db.read(async () => [await look(db, 'lag'), await where(db)])).toEqual([1, 'primary'])
  } finally {
    await admin.query('select pg_wal_replay_resume()')
  }
  await expect.poll(() => db.read(() => where(db))).toBe('standby')
})

it('reads from the primary after it has written, and never writes to the replica', async () => {
  const db = await open(standby['url'])
  await put(db, 'own', 1)
  const seen = await db.read(async () => {
    const first = await where(db)
    await put(db, 'own', 2)
    return [first, await where(db), await look(db, 'own')]
  })
  expect(seen.slice(1)).toEqual(['primary', 2])
  await expect(
    db.read(() => db.sql.insertInto('sequences').values({ name: 'x', value: 1 }).execute()),
  ).rejects.toThrow('run it inside db.write()')
})

it('stays in the transaction inside a write', async () => {
  const db = await open(standby['url'])
  await db.write(async () => {
    await put(db, 'inside', 7)
    expect(await db.read(() => look(db, 'inside'))).toBe(7)
  })
})

it('continues without a replica that is down, and uses it again later', async () => {
  const db = await open(standby['url'])
  await askServices(`own/${standby['id']}/halt`)
  for (let n = 0; n < 5; n++) expect(await db.read(() => where(db))).toBe('primary')
  await askServices(`own/${standby['id']}/resume`)
  await expect.poll(() => db.read(() => where(db))).toBe('standby')
  expect(faults.length).toBeGreaterThan(0)
})

it('does not use a database that is not a replica', async () => {
  const db = await open(primary['url'])
  expect(await db.read(() => where(db))).toBe('primary')
  expect(faults).toEqual(['DATABASE_READ_URL is not a physical replica of DATABASE_URL: it is not used'])
})
