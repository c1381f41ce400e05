import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import type { BytesRow } from './copy-out.ts'
import { readByteRows, type ValueOf } from './byte-rows.ts'
import type { Database } from './database.ts'
import { forEachDatabase } from './testing.ts'

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

forEachDatabase((engine, open) => {
  let db: Database
  beforeAll(async () => {
    // One connection, so that each statement shows whether the one before it left the connection in order.
    db = await open({ poolSize: 1 })
  })

  const row = (value: ValueOf, id: string, data: Buffer) =>
    engine === 'sqlite'
      ? sql<BytesRow>`select ${value(id)} as id, unhex(${value(data.toString('hex'))}) as data`
      : sql<BytesRow>`select ${value(id)}::text as id, decode(${value(data.toString('hex'))}, 'hex') as data`

  it('reads any number of bytes unchanged', async () => {
    const large = Buffer.concat(Array.from({ length: 1_000 }, () => ALL_BYTES))
    const rows = await readByteRows(
      db,
      (value) =>
        sql`${row(value, "it's", ALL_BYTES)} union all ${row(value, 'ünï', large)}
          union all ${row(value, '', Buffer.alloc(0))} union all ${row(value, 'again', large)}`,
    )
    expect(rows.map(({ id }) => id)).toEqual(["it's", 'ünï', '', 'again'])
    expect(rows.map(({ data }) => Buffer.from(data).equals(large))).toEqual([false, true, false, true])
    expect(Buffer.from(rows[0]!.data)).toEqual(ALL_BYTES)
    expect(rows[2]!.data.length).toBe(0)
  })

  it('reads an empty result, also in a transaction', async () => {
    const nothing = (value: ValueOf) => sql<BytesRow>`${row(value, 'a', ALL_BYTES)} limit 0`
    expect(await readByteRows(db, nothing)).toEqual([])
    expect(await db.write(() => readByteRows(db, nothing))).toEqual([])
  })

  it('fails like other statements and leaves the connection usable', async () => {
    await expect(readByteRows(db, () => sql`select id, data from no_such_table`)).rejects.toThrow(
      /no_such_table/,
    )
    await db.ping()
    expect(await readByteRows(db, (value) => row(value, 'a', ALL_BYTES))).toHaveLength(1)
  })
})
