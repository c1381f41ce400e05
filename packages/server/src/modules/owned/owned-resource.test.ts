import { expect, it } from 'vitest'
import { bumpTotal, readTotal } from '../../storage/db/totals.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { OwnedResource } from './owned-resource.ts'
import { createOwnedRows } from './owned-rows.ts'

const uuid = (n: number): string => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`

forEachDatabase((_engine, open) => {
  it('removes rows without a trash immediately, all or none, and updates the total', async () => {
    const db = await open()
    const store = createOwnedRows(db, 'domain_claims', { searched: ['name'] })
    const user = await insertTestUser(db)
    const seen: string[] = []
    const adjust = (workspaceUuid: string, name: string, count: number) =>
      bumpTotal(db, workspaceUuid, name, count)
    const things = new OwnedResource(
      { db, now: () => 1_000, newId: () => uuid(9), quotas: { take: async () => {}, adjust } },
      store,
      {
        noun: 'thing',
        total: 'domains',
        presenterOf: async () => (row) => ({ name: row.name }),
        rejectParts: (rows) => {
          if (rows.some(({ name }) => name === 'needed')) throw new Error('needed')
        },
        erasing: async (_user, rows) => void seen.push(rows.map(({ name }) => name).join(' ')),
      },
    )
    const names = ['first', 'needed', 'third', 'fourth']
    await db.write(async () => {
      for (const [at, name] of names.entries())
        await store.insert({ ...things.newRow(user), uuid: uuid(at), name, token: name, ignore_case: 0 })
      await bumpTotal(db, user, 'domains', names.length)
    })
    expect(await things.listAll(user)).toEqual(names.toReversed().map((name) => ({ name })))
    await expect(things.remove(user, { uuids: [uuid(0), uuid(1)] })).rejects.toThrow('needed')
    await expect(things.remove(user, { uuids: [uuid(0), uuid(7)] })).rejects.toMatchObject({ status: 404 })
    expect([seen, await readTotal(db, user, 'domains')]).toEqual([[], 4])

    expect(await things.remove(user, { uuids: [uuid(0), uuid(2)] })).toEqual({ uuids: [uuid(0), uuid(2)] })
    expect([seen, await readTotal(db, user, 'domains')]).toEqual([['first third'], 2])
    await expect(things.find(user, uuid(0))).rejects.toMatchObject({ message: 'There is no such thing' })

    const row = await things.find(user, uuid(3))
    const edited = await db.write(() => things.update(row, { token: 'new' }))
    expect(edited).toEqual({ ...row, token: 'new', updated_at: 1_001 })
    await expect(db.write(() => things.update(row, { token: 'late' }))).rejects.toMatchObject({
      code: 'conflict',
    })
  })
})
