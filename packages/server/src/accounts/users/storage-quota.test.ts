import { expect, it } from 'vitest'
import { bumpTotal } from '../../storage/db/totals.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createWorkspaceStore } from './workspaces.store.ts'
import { parsePlans } from './plans.ts'
import { createStorageQuota, storedBytes } from './storage-quota.ts'

forEachDatabase((_engine, open) => {
  const MB = 2 ** 20

  it('rejects writes of a workspace above its storage quota, until it has room again', async () => {
    const db = await open()
    const workspace = await insertTestUser(db)
    const other = await insertTestUser(db, { email: 'other@example.com' })
    const plans = parsePlans([{ name: 'free', limits: { storage_mb: 1 } }])
    let nowMs = 0
    const quota = createStorageQuota(db, createWorkspaceStore(db), plans, () => nowMs)
    const store = (first: number, count: number): Promise<void> =>
      db.write(async () => {
        for (let n = first; n < first + count; n++)
          await bumpTotal(db, workspace, `${n}`.padStart(700, 'x'), 1)
      })
    const empty = await storedBytes(db, workspace)
    await store(0, 1)
    expect((await storedBytes(db, workspace)) - empty).toBeGreaterThanOrEqual(700)
    expect((await storedBytes(db, workspace)) - empty).toBeLessThan(2_000)

    await quota.charge(workspace, MB)
    await store(1, 1_200)
    // Not measured before a sixteenth of the quota was sent.
    await quota.charge(workspace, MB / 32)
    await expect(quota.charge(workspace, MB / 32)).rejects.toMatchObject({
      code: 'quota_reached',
      message: expect.stringContaining('1 MB'),
    })
    await quota.charge(other, MB)
    await db.write(() => db.sql.deleteFrom('totals').where('workspace_uuid', '=', workspace).execute())
    await expect(quota.charge(workspace, 1)).rejects.toMatchObject({ code: 'quota_reached' })
    nowMs += 60_000
    await quota.charge(workspace, 1)
  })

  it('has a default, and is unlimited if a plan says so', async () => {
    const db = await open()
    const workspace = await insertTestUser(db)
    const none = parsePlans([{ name: 'free', limits: { storage_mb: null } }])
    expect([parsePlans(undefined).minStorageBytes, none.minStorageBytes]).toEqual([10_240 * MB, Infinity])
    await createStorageQuota(db, createWorkspaceStore(db), none, () => 0).charge(workspace, 1e15)
  })
})
