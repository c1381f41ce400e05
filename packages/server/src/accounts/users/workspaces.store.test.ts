import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createWorkspaceStore } from './workspaces.store.ts'

forEachDatabase((_engine, open) => {
  it('inserts a workspace with its owner, and returns the oldest owner', async () => {
    const db = await open()
    const workspaces = createWorkspaceStore(db)
    const [first, second] = [await insertTestUser(db), await insertTestUser(db)]
    const own = await workspaces.find(first)
    expect(own?.uuid).toBe(first)
    if (own === undefined) return
    const uuid = crypto.randomUUID()
    await db.write(() => workspaces.insert({ ...own, uuid, created_at: 5 }, second))
    expect((await workspaces.oldestOwner(uuid))?.uuid).toBe(second)
    const member = { workspace_uuid: uuid, user_uuid: first, role: 'owner' as const, created_at: 1 }
    await db.write(() => db.sql.insertInto('members').values(member).execute())
    expect((await workspaces.oldestOwner(uuid))?.uuid).toBe(first)
  })

  it('finds and changes only workspaces that are not deleted', async () => {
    const db = await open()
    const workspaces = createWorkspaceStore(db)
    const [kept, removed] = [await insertTestUser(db), await insertTestUser(db)]
    expect(await db.write(() => workspaces.update(removed, { removed_at: 1 }))).toBe(true)
    expect(await db.write(() => workspaces.update(removed, { plan: 'x' }))).toBe(false)
    expect(await workspaces.find(removed)).toBeUndefined()
    expect((await workspaces.listAfter('', 10)).map(({ uuid }) => uuid)).toEqual([kept])
  })
})
