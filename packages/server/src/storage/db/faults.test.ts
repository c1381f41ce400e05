import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from './open.ts'
import type { Database } from './database.ts'
import { askServices } from './testing.ts'
import { isUnavailable } from './unavailable.ts'

describe('postgres', () => {
  let own: Record<string, string>
  let admin: Client
  const opened: Database[] = []

  async function open(options: { poolSize?: number; statementTimeoutMs?: number } = {}): Promise<Database> {
    const settings = { connectTimeoutMs: 1_000, report: () => undefined, ...options }
    const db = await openDatabase({ url: own['url'], dataDir: '', ...settings })
    opened.push(db)
    return db
  }

  async function connectAdmin(): Promise<void> {
    admin = new Client({ connectionString: own['adminUrl'] })
    admin.on('error', () => undefined)
    await admin.connect()
  }

  const add = (db: Database, name: string) =>
    db.write(() => db.sql.insertInto('sequences').values({ name, value: 0 }).execute())
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => 'no failure',
      (error: unknown) => error,
    )
  /** Whether a write, a read and a ping fail with `UnavailableError`. */
  const unavailable = async (db: Database): Promise<boolean[]> => {
    const attempts = [add(db, 'x'), db.sql.selectFrom('users').select('uuid').execute(), db.ping()]
    return (await Promise.all(attempts.map(failure))).map(isUnavailable)
  }
  const command = (name: string) => askServices(`own/${own['id']}/${name}`)

  beforeAll(async () => {
    own = await askServices('own/postgres')
    await connectAdmin()
  })

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((db) => db.close()))
  })

  afterAll(async () => {
    await admin.end()
    await command('stop')
  })

  it('stopped: everything is unavailable, and recovers without a restart', async () => {
    const db = await open()
    await add(db, 'before')
    await command('halt')
    expect(await unavailable(db)).toEqual([true, true, true])
    await command('resume')
    await connectAdmin()
    await expect.poll(() => failure(db.ping())).toBe('no failure')
    await add(db, 'after')
    const rows = await db.sql.selectFrom('sequences').select('name').orderBy('name').execute()
    expect(rows.map((row) => row.name)).toEqual(['after', 'before'])
  })

  it('not responding: unavailable after the timeout, and recovers', async () => {
    const db = await open({ statementTimeoutMs: 300 })
    await add(db, 'warm')
    await command('freeze')
    expect(await unavailable(db)).toEqual([true, true, true])
    await command('thaw')
    await expect.poll(() => failure(add(db, `thawed ${crypto.randomUUID()}`))).toBe('no failure')
  })

  it('a connection closed during a transaction: that write fails, the next one succeeds', async () => {
    const db = await open()
    const broken = db.write(async () => {
      await db.sql.insertInto('sequences').values({ name: 'lost', value: 0 }).execute()
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db.sql)
      await admin.query('select pg_terminate_backend($1)', [rows[0]?.pid])
      await db.sql.insertInto('sequences').values({ name: 'never', value: 0 }).execute()
    })
    expect(isUnavailable(await failure(broken))).toBe(true)
    await add(db, 'next')
    const rows = await db.sql
      .selectFrom('sequences')
      .select('name')
      .where('name', 'in', ['lost', 'next'])
      .execute()
    expect(rows).toEqual([{ name: 'next' }])
  })

  it('idle connections closed: no caller notices', async () => {
    const db = await open()
    await add(db, 'idle 1')
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'waymark'")
    await expect.poll(() => failure(db.ping())).toBe('no failure')
    await add(db, 'idle 2')
  })

  it('out of connections: unavailable, both on the server and in the pool', async () => {
    await admin.query('alter role waymark connection limit 2')
    const [one, two] = [await open({ poolSize: 1 }), await open({ poolSize: 5 })]
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => void (release = resolve))
    const holders = [one.write(() => held), two.write(() => held)]
    await expect.poll(async () => isUnavailable(await failure(two.ping()))).toBe(true)
    expect(isUnavailable(await failure(one.ping()))).toBe(true)
    release()
    await Promise.all(holders)
    await admin.query('alter role waymark connection limit -1')
    await add(two, 'enough again')
  })

  it('a statement that takes too long is cancelled, and its connection stays usable', async () => {
    const db = await open({ statementTimeoutMs: 2_000, poolSize: 1 })
    expect(isUnavailable(await failure(sql`select pg_sleep(20)`.execute(db.sql)))).toBe(true)
    await add(db, 'still good')
  })

  it('two writes in a deadlock both succeed in the end', async () => {
    const db = await open()
    await add(db, 'd1')
    await add(db, 'd2')
    const raise = (name: string) =>
      db.sql
        .updateTable('sequences')
        .set((eb) => ({ value: eb('value', '+', 1) }))
        .where('name', '=', name)
        .execute()
    let effects = 0
    const cross = async (first: string, second: string): Promise<void> => {
      db.afterCommit(() => effects++)
      await raise(first)
      await sql`select pg_sleep(0.1)`.execute(db.sql)
      await raise(second)
    }
    await Promise.all([db.write(() => cross('d1', 'd2')), db.write(() => cross('d2', 'd1'))])
    const rows = await db.sql
      .selectFrom('sequences')
      .select('value')
      .where('name', 'in', ['d1', 'd2'])
      .execute()
    expect(rows).toEqual([{ value: 2 }, { value: 2 }])
    expect(effects).toBe(2)
  })

  it('a programming error is not reported as unavailable', async () => {
    const db = await open()
    expect(isUnavailable(await failure(sql`select nonsense`.execute(db.sql)))).toBe(false)
    expect(isUnavailable(new TypeError('x is not a function'))).toBe(false)
    expect(isUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
      false,
    )
  })

  it('no server: the start fails as unavailable', async () => {
    const refused = openDatabase({ url: 'postgres://a:b@127.0.0.1:1/x', dataDir: '' })
    expect(isUnavailable(await failure(refused))).toBe(true)
  })
})
