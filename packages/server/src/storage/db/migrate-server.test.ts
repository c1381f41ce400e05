import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, describe, expect, it } from 'vitest'
import type { Migration } from './migrations.ts'
import { openDatabase } from './open.ts'
import { askServices } from './testing.ts'

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

describe('a schema that is changed while an older node is at work in it', () => {
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

  it('gives way to a transaction that waits for it, and is changed after that', async () => {
    const url = await newDatabase()
    const node = await connect(url)
    await node.query('begin; insert into b values (1)')
    const upgraded = upgrade(url)
    // The migration has the first table and waits for the second, and the transaction waits for the first one.
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

  it('does not hold up other readers while it waits for a long one', async () => {
    const url = await newDatabase()
    const reader = await connect(url)
    await reader.query('begin; select * from a')
    const upgraded = upgrade(url)
    const other = await connect(url)
    const isWaiting = "select 1 from pg_locks where relation = 'a'::regclass and not granted"
    while ((await other.query(isWaiting)).rowCount === 0) await delay(5)
    // With the reader still at it: this waits for the migration, which gives up.
    expect(await columnsOf(other, 'a')).toEqual(['id'])
    await reader.query('commit')
    expect(await upgraded).toHaveLength(1)
    expect(await columnsOf(other, 'a')).toEqual(['id', 'later'])
  })
})
