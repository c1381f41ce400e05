import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { actingFor } from '../../net/admission/gate.ts'
import { openDatabase } from './open.ts'

const open = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-reads-test-'))
  const db = await openDatabase({ url: undefined, dataDir })
  db.useReaderThreads(2)
  const close = async (): Promise<void> => {
    await db.close()
    await rm(dataDir, { recursive: true })
  }
  return { db, close }
}

it('serves visitors during large reads of SQLite, which run in a thread', async () => {
  const { db, close } = await open()
  const count = sql<{ count: number; bytes: Buffer; folded: string }>`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 3000000)
    select count(*) as count, x'0102' as bytes, fold('ÄΣ') as folded from numbers`
  let turns = 0
  let waiting = setImmediate(function served() {
    turns++
    waiting = setImmediate(served)
  })
  const { rows } = await db.read(() => count.execute(db.sql))
  clearImmediate(waiting)
  expect(turns).toBeGreaterThan(100)
  expect(rows).toEqual([{ count: 3_000_000, bytes: Buffer.from([1, 2]), folded: 'äσ' }])
  await expect(db.read(() => sql`delete from users`.execute(db.sql))).rejects.toThrow()
  await close()
})

it('one read of an account waits for at most one of another account', async () => {
  const { db, close } = await open()
  const ended: string[] = []
  const read = (account: string): Promise<void> =>
    actingFor({ account }, async () => {
      await sql`
        with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 100000)
        select count(*) from numbers`.execute(db.sql)
      ended.push(account)
    })
  await Promise.all([...Array.from({ length: 20 }, () => read('busy')), read('other')])
  expect(ended.indexOf('other')).toBeLessThanOrEqual(2)
  await close()
})

it('look-ups by key of visitors and authentication do not wait for reads in threads', async () => {
  const { db, close } = await open()
  const users = db.serving.sql.selectFrom('users').select('uuid')
  const ended: string[] = []
  const large = sql`
    with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000000)
    select count(*) from numbers`
  const reads = Array.from({ length: 4 }, () => large.execute(db.sql).then(() => ended.push('read')))
  await users.execute().then(() => ended.push('look-up'))
  await Promise.all(reads)
  expect(ended[0]).toBe('look-up')
  await close()
})

it('a write reads its own changes, through either view of the database', async () => {
  const { db, close } = await open()
  const value = async (of: typeof db) =>
    (await of.sql.selectFrom('sequences').select('value').where('name', '=', 'x').executeTakeFirst())?.value
  await db.write(async () => {
    await db.sql.insertInto('sequences').values({ name: 'x', value: 7 }).execute()
    expect([await value(db), await value(db.serving)]).toEqual([7, 7])
  })
  expect([await value(db), await value(db.serving)]).toEqual([7, 7])
  await close()
})
