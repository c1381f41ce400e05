import { beforeAll, expect, test } from 'vitest'
import type { Database } from './database.ts'
import { preparedStatement } from './prepared.ts'
import type { Tables } from './tables.ts'
import { forEachDatabase } from './testing.ts'

const insert = preparedStatement((sql, row: Tables['tombstones']) =>
  sql
    .insertInto('tombstones')
    .values(row)
    .onConflict((conflict) => conflict.column('hash').doNothing()),
)
const find = preparedStatement((sql, { hash }: { hash: string }) =>
  sql.selectFrom('tombstones').select('created_at').where('hash', '=', hash).limit(3),
)

forEachDatabase((engine, open) => {
  let db: Database
  const inserted = async (row: Tables['tombstones']) =>
    Number((await db.write(() => insert(db, row))).numAffectedRows)

  beforeAll(async () => {
    db = await open()
  })

  test('runs with the values of each call, and returns the number of changed rows', async () => {
    expect(await inserted({ hash: `${engine}-a`, created_at: 1 })).toBe(1)
    expect(await inserted({ hash: `${engine}-b`, created_at: 2 })).toBe(1)
    expect(await inserted({ hash: `${engine}-b`, created_at: 3 })).toBe(0)
    const rows = await Promise.all(['a', 'b', 'c'].map((name) => find(db, { hash: `${engine}-${name}` })))
    expect(rows.map((result) => result.rows)).toEqual([[{ created_at: 1 }], [{ created_at: 2 }], []])
  })

  test('is part of the enclosing write', async () => {
    const failed = db.write(async () => {
      await insert(db, { hash: `${engine}-undone`, created_at: 1 })
      expect((await find(db, { hash: `${engine}-undone` })).rows).toHaveLength(1)
      throw new Error('taken back')
    })
    await expect(failed).rejects.toThrow('taken back')
    expect((await find(db, { hash: `${engine}-undone` })).rows).toHaveLength(0)
  })

  test('cannot change rows outside of a write', async () => {
    const outside = preparedStatement((sql, row: Tables['tombstones']) =>
      sql.insertInto('tombstones').values(row),
    )
    await expect((async () => outside(db, { hash: `${engine}-x`, created_at: 1 }))()).rejects.toThrow(
      'db.write()',
    )
  })
})
