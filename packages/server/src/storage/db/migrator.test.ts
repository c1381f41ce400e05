import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import { type Migration, SchemaTooNewError, SchemaUnreleasedError } from './migrator.ts'
import { openDatabase } from './open.ts'
import { askServices, forEachDatabase, insertTestUser } from './testing.ts'

forEachDatabase((_engine, _open, databases) => {
  describe('migrations', () => {
    it('run once and do not change the data when opened again', async () => {
      const place = await databases.emptyPlace()
      const first = await openDatabase(place)
      const user = await insertTestUser(first)
      await first.close()
      const second = await openDatabase(place)
      const found = await second.sql.selectFrom('users').select('uuid').execute()
      await second.close()
      expect(found).toEqual([{ uuid: user }])
    })

    it('run once when several processes open the same new database', async () => {
      const place = await databases.emptyPlace()
      const all = await Promise.all([1, 2, 3, 4].map(() => openDatabase(place)))
      for (const one of all) await insertTestUser(one)
      expect(await all[0]?.sql.selectFrom('users').select('uuid').execute()).toHaveLength(4)
      await Promise.all(all.map((one) => one.close()))
    })

    it('are rolled back together when one of them fails', async () => {
      const place = await databases.emptyPlace()
      const half = sql`create table half (id integer)`
      const broken = async (handle: Kysely<unknown>): Promise<void> => {
        await half.execute(handle)
        await sql`select * from nowhere`.execute(handle)
      }
      const repaired = async (handle: Kysely<unknown>): Promise<void> => void (await half.execute(handle))
      const openWith = (up: Migration['up']) => openDatabase({ ...place, migrations: [{ name: '0001', up }] })
      await expect(openWith(broken)).rejects.toThrow('nowhere')
      await (await openWith(repaired)).close()
    })

    const making = (table: string, release?: string): Migration => ({
      name: table,
      release,
      up: async (handle) => void (await sql.raw(`create table "${table}" (id integer)`).execute(handle)),
    })

    it('upgrade the schema of an earlier release, but not of unreleased code', async () => {
      const place = await databases.emptyPlace()
      const openWith = (...migrations: Migration[]) => openDatabase({ ...place, migrations })
      const [first, second, third] = [making('0001_a'), making('0002_b', '1.0.0'), making('0003_c')]
      await (await openWith(first)).close()
      await expect(openWith(first, second)).rejects.toThrow(/^The schema .* no release .*lacks 0002_b.*$/)
      await (await openWith(first)).close()

      const released = await databases.emptyPlace()
      const openReleased = (...migrations: Migration[]) => openDatabase({ ...released, migrations })
      await (await openReleased(first, second)).close()
      await (await openReleased(first, second, third)).close()
      await (await openReleased(first, second, third)).close()
      const fourth = making('0004_d')
      await expect(openReleased(first, second, third, fourth)).rejects.toThrow('lacks 0004_d')
    })

    it('stop with one clear line when one of them has changed', async () => {
      const place = await databases.emptyPlace()
      const up = (table: string) => async (handle: Kysely<unknown>) =>
        void (await sql.raw(`create table "${table}" (id integer)`).execute(handle))
      await (await openDatabase({ ...place, migrations: [{ name: '0001', up: up('a') }] })).close()
      await (await openDatabase({ ...place, migrations: [{ name: '0001', up: up('a') }] })).close()
      const failure = await openDatabase({ ...place, migrations: [{ name: '0001', up: up('b') }] }).catch(
        (error: unknown) => error,
      )
      expect(failure).toBeInstanceOf(SchemaUnreleasedError)
      expect((failure as Error).message.split('\n')).toHaveLength(1)
    })

    it('reject data from before checksums', async () => {
      const place = await databases.emptyPlace()
      const early = await openDatabase(place)
      await early.write(() => early.sql.updateTable('schema_migrations').set({ checksum: null }).execute())
      await early.close()
      await expect(openDatabase(place)).rejects.toThrow(SchemaUnreleasedError)
    })

    it('reject data that has other migrations instead', async () => {
      const place = await databases.emptyPlace()
      const openWith = (...migrations: Migration[]) => openDatabase({ ...place, migrations })
      await (await openWith(making('0001_a'), making('0002_b'))).close()
      const failure = await openWith(making('0001_baseline', '1.0.0')).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(SchemaUnreleasedError)
      expect((failure as Error).message).toContain('it has 0001_a')
    })

    it('reject data of a newer version with one clear line', async () => {
      const place = await databases.emptyPlace()
      const newer = await openDatabase(place)
      await newer.write(() =>
        newer.sql
          .insertInto('schema_migrations')
          .values({ name: '9999_future', applied_at: 0, checksum: null })
          .execute(),
      )
      await newer.close()
      const failure = await openDatabase(place).catch((error: unknown) => error)
      expect(failure).toBeInstanceOf(SchemaTooNewError)
      expect((failure as Error).message).toMatch(/^This data was written by a newer Waymark .*9999_future.*$/)
    })
  })
})

const first: Migration = {
  name: '0001',
  release: '1.0.0',
  up: async (handle) => {
    await sql`create table a (id integer)`.execute(handle)
    await sql`create table b (id integer)`.execute(handle)
  },
}
/** Locks one table and then the other. */
const second: Migration = {
  name: '0002',
  up: async (handle) => {
    await sql`alter table a add column later text`.execute(handle)
    await sql`alter table b add column later text`.execute(handle)
  },
}

describe('a schema change while an older node uses the database', () => {
  const urls: string[] = []
  const clients: Client[] = []
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.end()))
    for (const url of urls) await askServices(`postgres/drop?url=${encodeURIComponent(url)}`)
  })

  const newDatabase = async (): Promise<string> => {
    const { url = '' } = await askServices('postgres/create')
    urls.push(url)
    await (await openDatabase({ url, dataDir: '', migrations: [first] })).close()
    return url
  }
  const connect = async (url: string): Promise<Client> => {
    const client = new Client(url)
    clients.push(client)
    await client.connect()
    return client
  }
  const upgrade = async (url: string): Promise<unknown[]> => {
    const reports: unknown[] = []
    const report = (error: unknown): void => void reports.push(error)
    await (await openDatabase({ url, dataDir: '', migrations: [first, second], report })).close()
    return reports
  }
  const columnsOf = async (client: Client, table: string): Promise<unknown[]> =>
    (await client.query(`select * from ${table}`)).fields.map(({ name }) => name)

  it('yields to a transaction in a deadlock with it, and succeeds afterwards', async () => {
    const url = await newDatabase()
    const node = await connect(url)
    await node.query('begin; insert into b values (1)')
    const upgraded = upgrade(url)
    // The migration has the first table and waits for the second, and the transaction waits for the first.
    const watcher = await connect(url)
    const isHeld = "select 1 from pg_locks where relation = 'a'::regclass and mode = 'AccessExclusiveLock'"
    while ((await watcher.query(isHeld)).rowCount === 0) await delay(5)
    await node.query('insert into a values (1)')
    await node.query('commit')
    expect(await upgraded).toHaveLength(1)
    expect([await columnsOf(node, 'a'), await columnsOf(node, 'b')]).toEqual([
      ['id', 'later'],
      ['id', 'later'],
    ])
    expect((await node.query('select id from a union all select id from b')).rowCount).toBe(2)
  })

  it('does not block other readers while it waits for a long one', async () => {
    const url = await newDatabase()
    const reader = await connect(url)
    await reader.query('begin; select * from a')
    const upgraded = upgrade(url)
    const other = await connect(url)
    const isWaiting = "select 1 from pg_locks where relation = 'a'::regclass and not granted"
    while ((await other.query(isWaiting)).rowCount === 0) await delay(5)
    // While the reader is still running: this read waits for the migration, which gives up.
    expect(await columnsOf(other, 'a')).toEqual(['id'])
    await reader.query('commit')
    expect(await upgraded).toHaveLength(1)
    expect(await columnsOf(other, 'a')).toEqual(['id', 'later'])
  })
})
