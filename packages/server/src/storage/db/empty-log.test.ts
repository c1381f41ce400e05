import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { dataFolder } from '../data-folder.ts'
import type { Database } from './database.ts'
import { emptyLog, SHORT_LOG_PAGES } from './empty-log.ts'
import { openDatabase } from './open.ts'

let dataDir: string
let file: string
let db: Database
/** The connection of another thread. */
let other: SqliteDatabase.Database

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'waymark-log-'))
  file = join(dataDir, dataFolder.database)
  db = await openDatabase({ url: undefined, dataDir })
  other = new SqliteDatabase(file, { timeout: 1_000 })
  other.pragma('wal_checkpoint(truncate)')
})

afterEach(async () => {
  other.close()
  await db.close()
  await rm(dataDir, { recursive: true })
})

const insert = (name: string) => db.sql.insertInto('sequences').values({ name, value: 1 }).execute()
const add = (name: string) => db.write(() => insert(name))
/** Each row takes a page, or nearly. */
const addPages = (name: string, pages: number) =>
  db.write(async () => {
    for (let n = 0; n < pages; n++) await insert(`${name}${'x'.repeat(3_500)}${n}`)
  })

const logPages = (): number => (other.pragma('wal_checkpoint(noop)') as { log: number }[])[0]?.log ?? -1

/** The first letters of what is in the database without its log. */
async function kept(): Promise<string> {
  const alone = join(dataDir, 'alone.db')
  await copyFile(file, alone)
  const copy = new SqliteDatabase(alone)
  try {
    const names = copy.prepare('select distinct substr(name, 1, 1) from sequences order by 1').pluck().all()
    return names.join('')
  } finally {
    copy.close()
  }
}

it('brings a long log to the database and starts it again, so that the next writer need not', async () => {
  await addPages('a', SHORT_LOG_PAGES)
  emptyLog(other)
  expect(await kept()).toBe('a')
  expect(logPages()).toBe(1)
  await add('b')
  expect(logPages()).toBeGreaterThan(1)
})

it('leaves a short log as it is', async () => {
  await add('a')
  const pages = logPages()
  expect(pages).toBeGreaterThan(0)
  emptyLog(other)
  expect([await kept(), logPages()]).toEqual(['', pages])
})

it('works beside others that read and write', async () => {
  const reader = new SqliteDatabase(file)
  reader.exec('begin; select * from sequences')
  await addPages('a', SHORT_LOG_PAGES)
  await db.write(async () => {
    await insert('b')
    emptyLog(other)
  })
  reader.close()
  emptyLog(other)
  expect(await kept()).toBe('ab')
})
