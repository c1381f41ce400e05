import SqliteDatabase from 'better-sqlite3'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { dataFolder } from '../../../runtime/data-folder.ts'
import { openDatabase } from '../../../storage/db/open.ts'
import { openSqliteStore } from './store.ts'

it('brings what the server wrote to the database, beside others that read and write', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'waymark-log-'))
  const file = join(dataDir, dataFolder.database)
  const db = await openDatabase({ url: undefined, dataDir })
  const store = openSqliteStore(file)
  const add = (name: string) =>
    db.write(() => db.sql.insertInto('sequences').values({ name, value: 1 }).execute())
  /** What is in the database without its log. */
  const kept = async (): Promise<unknown[]> => {
    const alone = join(dataDir, 'alone.db')
    await copyFile(file, alone)
    const copy = new SqliteDatabase(alone)
    try {
      return copy.prepare('select name from sequences order by name').pluck().all()
    } finally {
      copy.close()
    }
  }

  store.emptyLog()
  await add('a')
  expect(await kept()).toEqual([])
  store.emptyLog()
  expect(await kept()).toEqual(['a'])

  const reader = new SqliteDatabase(file)
  reader.exec('begin; select * from sequences')
  await add('b')
  const writing = db.write(async () => {
    await db.sql.insertInto('sequences').values({ name: 'c', value: 1 }).execute()
    store.emptyLog()
  })
  await writing
  reader.close()
  store.emptyLog()
  expect(await kept()).toEqual(['a', 'b', 'c'])
  await store.close()
  await db.close()
  await rm(dataDir, { recursive: true })
})
