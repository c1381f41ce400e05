import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { dataFolder } from '../data-folder.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { isUnavailable } from './unavailable.ts'
import { emptyLog, openLogFlush, SHORT_LOG_PAGES } from './write-ahead-log.ts'

/** A disk that flushes on command. */
class SlowDisk {
  readonly #begun: PromiseWithResolvers<void>[] = []

  get flushes(): number {
    return this.#begun.length
  }

  flush(): Promise<void> {
    const begun = Promise.withResolvers<void>()
    this.#begun.push(begun)
    return begun.promise
  }

  async end(flush: number, error?: Error): Promise<void> {
    await expect.poll(() => this.flushes).toBeGreaterThan(flush)
    if (error === undefined) this.#begun[flush]?.resolve()
    else this.#begun[flush]?.reject(error)
  }
}

const broken = Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' })

let disk: SlowDisk
let ended: string[]
beforeEach(() => {
  disk = new SlowDisk()
  ended = []
})

describe('a write', () => {
  let folder: string
  let handle: InstanceType<typeof SqliteDatabase>
  let writer: SqliteWriter

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-log-'))
    handle = new SqliteDatabase(join(folder, 'test.db'), { timeout: 0 })
    handle.pragma('journal_mode = wal')
    handle.pragma('synchronous = normal')
    handle.pragma('wal_autocheckpoint = 0')
    handle.exec('create table t (name text)')
    writer = new SqliteWriter(handle, () => disk.flush())
  })
  afterEach(async () => {
    await writer.close()
    handle.close()
    await rm(folder, { recursive: true, force: true })
  })

  const write = (name: string, priority?: 'background'): Promise<void> => {
    const insert = async (): Promise<void> => void handle.prepare('insert into t values (?)').run(name)
    const hooks = {
      afterCommit: () => ended.push(name),
      abandoned: () => undefined,
      released: () => ended.push(`${name} lets others write`),
    }
    return writer.write(insert, hooks, priority)
  }
  const rowsOf = (file: string): unknown[] => {
    const other = new SqliteDatabase(join(folder, file))
    try {
      return other.prepare('select name from t').pluck().all()
    } finally {
      other.close()
    }
  }

  it('returns when it is on disk; writes that arrive meanwhile share the next flush', async () => {
    const first = write('a')
    await expect.poll(() => disk.flushes).toBe(1)
    const others = [write('b'), write('c')]
    expect(ended).toEqual([])
    expect(rowsOf('test.db')).toEqual(['a'])
    await disk.end(0)
    await first
    expect(ended).toEqual(['a'])
    await disk.end(1)
    await Promise.all(others)
    expect(ended).toEqual(['a', 'b', 'c'])
    expect(disk.flushes).toBe(2)
  })

  it('does not wait for the flush of a background write', async () => {
    const batch = write('batch', 'background')
    await expect.poll(() => ended).toEqual(['batch lets others write'])
    const other = write('a')
    await disk.end(1)
    await other
    expect(ended).toEqual(['batch lets others write', 'a'])
    await disk.end(0)
    await batch
    expect(ended.at(-1)).toBe('batch')
  })

  it('is awaited when the writer is closed, also a background write', async () => {
    const writes = [write('batch', 'background'), write('a')]
    let isClosed = false
    await expect.poll(() => disk.flushes).toBe(1)
    const closing = writer.close().then(() => (isClosed = true))
    await disk.end(0)
    await disk.end(1)
    await Promise.all([...writes, closing])
    expect(isClosed).toBe(true)
    expect(ended.filter((name) => !name.includes(' '))).toEqual(['a', 'batch'])
  })

  it('is rejected when the disk fails, and the next one waits until all is in the database file', async () => {
    const lost = write('a').catch((error: unknown) => error)
    await disk.end(0, broken)
    expect(isUnavailable(await lost)).toBe(true)
    expect(ended).not.toContain('a')

    const reader = new SqliteDatabase(join(folder, 'test.db'))
    reader.exec('begin; select * from t')
    const meanwhile = write('b').catch((error: unknown) => error)
    expect(isUnavailable(await meanwhile)).toBe(true)
    reader.close()

    const next = write('c')
    await disk.end(1)
    await next
    // The data that could be lost with the log, `a`, is now in the database file.
    await copyFile(join(folder, 'test.db'), join(folder, 'alone.db'))
    expect(rowsOf('alone.db')).toEqual(['a'])
    expect(rowsOf('test.db')).toEqual(['a', 'c'])
  })
})

it('reaches the log of a real database', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'waymark-log-'))
  const file = join(folder, 'test.db')
  const handle = new SqliteDatabase(file)
  handle.pragma('journal_mode = wal')
  handle.exec('create table t (name text)')
  const log = openLogFlush(file)
  await expect(Promise.all([log.flush(), log.flush()])).resolves.toHaveLength(2)
  await log.close()
  // After `close` the descriptor of the log is closed, and a database that is not in use has no log.
  await expect(log.flush()).rejects.toMatchObject({ code: 'EBADF' })
  handle.close()
  expect(() => openLogFlush(file)).toThrow('test.db-wal')
  await rm(folder, { recursive: true })
})

let dataDir: string
let file: string
let db: Database
/** The connection of the other thread. */
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
/** Each row takes about a page. */
const addPages = (name: string, pages: number) =>
  db.write(async () => {
    for (let n = 0; n < pages; n++) await insert(`${name}${'x'.repeat(3_500)}${n}`)
  })

const logPages = (): number => (other.pragma('wal_checkpoint(noop)') as { log: number }[])[0]?.log ?? -1

/** The first letters of what is in the database file without its log. */
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

it('checkpoints a long log and restarts it, so that the next writer need not', async () => {
  await addPages('a', SHORT_LOG_PAGES)
  emptyLog(other)
  expect(await kept()).toBe('a')
  expect(logPages()).toBe(1)
  await add('b')
  expect(logPages()).toBeGreaterThan(1)
})

it('leaves a short log unchanged', async () => {
  await add('a')
  const pages = logPages()
  expect(pages).toBeGreaterThan(0)
  emptyLog(other)
  expect([await kept(), logPages()]).toEqual(['', pages])
})

it('works while others read and write', async () => {
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
