import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createUserStore } from './users.store.ts'

forEachDatabase((_engine, open) => {
  it('keeps addresses unique and finds only users who are not deleted', async () => {
    const db = await open()
    const users = createUserStore(db)
    const uuid = await insertTestUser(db, { email: 'one@example.com' })
    const other = await insertTestUser(db, { email: 'two@example.com' })
    const row = await users.find(uuid)
    expect(row?.email).toBe('one@example.com')
    if (row === undefined) return
    const insert = (email: string) =>
      db.write(() => users.insert({ ...row, uuid: crypto.randomUUID(), email }))
    expect([await insert('one@example.com'), await insert('three@example.com')]).toEqual([false, true])
    const change = (email: string) => db.write(() => users.changeEmail(uuid, email, 7))
    expect([await change('two@example.com'), await change('four@example.com')]).toEqual([false, true])
    expect((await users.findByEmail('four@example.com'))?.uuid).toBe(uuid)
    await db.write(() => users.update(other, { removed_at: 1 }))
    expect([await users.find(other), await users.findByEmail('two@example.com')]).toEqual([
      undefined,
      undefined,
    ])
    expect(await db.write(() => users.update(other, { phone: '1' }))).toBe(false)
    expect(await users.listAfter('', 10)).toHaveLength(2)
  })

  it('confirms an address', async () => {
    const db = await open()
    const users = createUserStore(db)
    const uuid = await insertTestUser(db, { confirmed_at: null })
    expect(await db.write(() => users.confirm(uuid, 'new@example.com', 5))).toBe(true)
    expect(await users.find(uuid)).toMatchObject({ email: 'new@example.com', confirmed_at: 5, updated_at: 5 })
  })
})
