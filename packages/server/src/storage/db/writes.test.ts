import { AsyncLocalStorage } from 'node:async_hooks'
import SqliteDatabase from 'better-sqlite3'
import { array, assert, asyncProperty, boolean, constant, letrec, oneof, record, uuid } from 'fast-check'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { SqliteWriter } from './sqlite-writer.ts'
import { forEachDatabase } from './testing.ts'
import { isUnavailable } from './unavailable.ts'

/** A job that inserts names, may contain others, and may fail at the end. */
interface Job {
  readonly names: string[]
  readonly inner: Job[]
  readonly fails: boolean
  readonly pauses: boolean
}

const { job } = letrec<{ job: Job }>((tie) => ({
  job: record({
    names: array(uuid(), { maxLength: 2 }),
    inner: oneof({ depthSize: 'small' }, constant<Job[]>([]), array(tie('job'), { maxLength: 2 })),
    fails: boolean(),
    pauses: boolean(),
  }),
}))

/** A disk that flushes immediately. */
const atOnce = (): Promise<void> => Promise.resolve()
const noHooks = { afterCommit: () => undefined, abandoned: () => undefined }

/** The names that must be stored afterwards. */
function kept({ names, inner, fails }: Job): string[] {
  return fails ? [] : [...names, ...inner.flatMap(kept)]
}

forEachDatabase((engine, open) => {
  let db: Database

  beforeAll(async () => {
    db = await open()
  })

  async function run({ names, inner, fails, pauses }: Job, ran: string[]): Promise<void> {
    for (const name of names) await db.sql.insertInto('sequences').values({ name, value: 0 }).execute()
    db.afterCommit(() => ran.push(...names))
    if (pauses) await delay(1)
    for (const one of inner) await db.write(() => run(one, ran)).catch(() => undefined)
    if (fails) throw new Error('as told')
  }

  it('commits exactly the jobs that succeed, however they nest, overlap and fail', async () => {
    await assert(
      asyncProperty(array(job, { maxLength: 6 }), async (jobs) => {
        await db.write(() => db.sql.deleteFrom('sequences').execute())
        const ran: string[] = []
        const outcomes = await Promise.allSettled(jobs.map((one) => db.write(() => run(one, ran))))
        expect(outcomes.map(({ status }) => status === 'rejected')).toEqual(jobs.map(({ fails }) => fails))
        const rows = await db.sql.selectFrom('sequences').select('name').execute()
        const expected = jobs.flatMap(kept).sort()
        expect(rows.map(({ name }) => name).sort()).toEqual(expected)
        expect(ran.sort()).toEqual(expected)
      }),
      { numRuns: engine === 'sqlite' ? 60 : 25 },
    )
  })

  it('runs each of several writes in the asynchronous context of its caller', async () => {
    const callers = new AsyncLocalStorage<string>()
    const names = Array.from({ length: 20 }, (_, n) => `caller ${n}`)
    const seen = await Promise.all(
      names.map((name) =>
        callers.run(name, async () => {
          const heard: (string | undefined)[] = []
          await db.write(async () => {
            heard.push(callers.getStore())
            await db.sql.selectFrom('sequences').select('name').execute()
            db.afterCommit(() => heard.push(callers.getStore()))
            heard.push(callers.getStore())
          })
          return [...heard, callers.getStore()]
        }),
      ),
    )
    expect(seen).toEqual(names.map((name) => [name, name, name, name]))
  })
})

describe('sqlite', () => {
  const folders: string[] = []
  const place = async (): Promise<string> => {
    const folder = await mkdtemp(join(tmpdir(), 'waymark-writes-'))
    folders.push(folder)
    return folder
  }

  afterAll(async () => {
    for (const folder of folders) await rm(folder, { recursive: true, force: true })
  })

  it('waits for another writing process without blocking the event loop', async () => {
    const dataDir = await place()
    const db = await openDatabase({ url: undefined, dataDir, lockWaitMs: 60_000 })
    const other = new SqliteDatabase(join(dataDir, 'waymark.db'))
    other.exec('begin immediate')
    const waiting = db.write(() => db.sql.insertInto('sequences').values({ name: 'x', value: 1 }).execute())
    let turns = 0
    const timer = setInterval(() => turns++, 5)
    await expect.poll(() => turns).toBeGreaterThan(5)
    clearInterval(timer)
    expect(await db.sql.selectFrom('sequences').selectAll().execute()).toEqual([])
    other.exec('commit')
    await waiting
    expect(await db.sql.selectFrom('sequences').selectAll().execute()).toEqual([{ name: 'x', value: 1 }])
    other.close()
    await db.close()
  })

  it('is unavailable while the other one does not end, and recovers', async () => {
    const dataDir = await place()
    const db = await openDatabase({ url: undefined, dataDir, lockWaitMs: 100 })
    const other = new SqliteDatabase(join(dataDir, 'waymark.db'))
    other.exec('begin immediate')
    const writes = ['a', 'b'].map((name) =>
      db.write(() => db.sql.insertInto('sequences').values({ name, value: 1 }).execute()),
    )
    const outcomes = await Promise.allSettled(writes)
    expect(outcomes.map((outcome) => outcome.status === 'rejected' && isUnavailable(outcome.reason))).toEqual(
      [true, true],
    )
    other.close()
    await db.write(() => db.sql.insertInto('sequences').values({ name: 'c', value: 1 }).execute())
    await db.close()
  })

  it('aborts a job that never ends, and continues with the others', async () => {
    const file = join(await place(), 'test.db')
    const handle = new SqliteDatabase(file)
    handle.exec('create table t (name text)')
    const insert = handle.prepare('insert into t values (?)')
    const writer = new SqliteWriter(handle, atOnce, { jobLimitMs: 50 })
    const stuck = writer.write(async () => {
      insert.run('stuck')
      await new Promise(() => undefined)
    }, noHooks)
    const fine = writer.write(async () => void insert.run('fine'), noHooks)
    await expect(stuck).rejects.toThrow('longer than 50 ms')
    await fine
    expect(handle.prepare('select name from t').pluck().all()).toEqual(['fine'])
    await writer.close()
    handle.close()
  })

  it('keeps an aborted job from writing into the transactions of others', async () => {
    const db = await openDatabase({ url: undefined, dataDir: await place(), jobLimitMs: 50 })
    const add = (name: string) => db.sql.insertInto('sequences').values({ name, value: 0 }).execute()
    let goOn: () => void = () => undefined
    const pause = new Promise<void>((resolve) => void (goOn = resolve))
    let late: unknown
    const stuck = db.write(() =>
      db.write(async () => {
        await pause
        late = await add('late').catch((error: unknown) => error)
      }),
    )
    await expect(stuck).rejects.toThrow('longer than')
    await db.write(async () => {
      await add('other')
      goOn()
      await delay(20)
    })
    expect(String(late)).toContain('db.write')
    expect(await db.sql.selectFrom('sequences').select('name').execute()).toEqual([{ name: 'other' }])
    await db.close()
  })

  it('fails writes while the disk is full, and recovers when there is room', async () => {
    const file = join(await place(), 'test.db')
    const handle = new SqliteDatabase(file)
    handle.pragma('journal_mode = wal')
    handle.exec('create table t (name text, filler text)')
    handle.pragma('max_page_count = 20')
    const insert = handle.prepare('insert into t values (?, ?)')
    const writer = new SqliteWriter(handle, atOnce)
    const told: string[] = []
    const add = (name: string, size: number): Promise<void> =>
      writer.write(async () => void insert.run(name, 'x'.repeat(size)), {
        ...noHooks,
        afterCommit: () => told.push(name),
      })
    const outcomes = await Promise.allSettled([add('a', 10), add('too large', 500_000), add('b', 10)])
    const failure = outcomes[1]
    expect(failure?.status === 'rejected' && isUnavailable(failure.reason)).toBe(true)
    await add('c', 10)
    expect(handle.prepare('select name from t').pluck().all()).toEqual(told)
    expect(told).toContain('c')
    await writer.close()
    handle.close()
  })

  describe('a background write', () => {
    const opened = async (backgroundWaitMs: number) => {
      const handle = new SqliteDatabase(join(await place(), 'test.db'))
      const writer = new SqliteWriter(handle, atOnce, { backgroundWaitMs })
      const steps: string[] = []
      const write = (name: string, priority?: 'background'): Promise<void> =>
        writer.write(
          async () => void steps.push(name),
          { ...noHooks, afterCommit: () => steps.push(`${name} is on disk`) },
          priority,
        )
      const close = async (): Promise<void> => {
        await writer.close()
        handle.close()
      }
      return { write, steps, close }
    }

    it('runs after the waiting writes, in its own transaction', async () => {
      const { write, steps, close } = await opened(Infinity)
      const firstBatch = write('batch 1', 'background')
      const secondBatch = write('batch 2', 'background')
      const late = firstBatch.then(() => write('late'))
      await Promise.all([write('a'), write('b'), secondBatch, late])
      expect(steps).toEqual(
        [['a', 'b', 'a is on disk', 'b is on disk'], ...['batch 1', 'late', 'batch 2'].map(andCommit)].flat(),
      )
      await close()
    })

    it('gets its turn, however many other writes arrive', async () => {
      const { write, steps, close } = await opened(20)
      const batch = write('batch', 'background')
      const endless = async (): Promise<void> => {
        while (!steps.includes('batch')) await write('other')
      }
      await Promise.all([batch, endless(), endless(), endless()])
      expect(steps).toContain('batch is on disk')
      await close()
    })
  })
})

const andCommit = (name: string): string[] => [name, `${name} is on disk`]
