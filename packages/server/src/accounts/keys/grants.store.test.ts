import { expect, it } from 'vitest'
import { listWindow } from '../../modules/owned/listing.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { ApiKeyRow } from '../../storage/db/tables.ts'
import { createGrantStore } from './grants.store.ts'

forEachDatabase((_engine, open) => {
  const row = (workspace_uuid: string, n: number, fields: Partial<ApiKeyRow> = {}): ApiKeyRow => ({
    uuid: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    workspace_uuid,
    api_key: `wm_${n}`,
    secret_sealed: '',
    name: null,
    scope: null,
    scopes: null,
    signature_required: 0,
    expires_at: null,
    allowed_addresses: null,
    created_by: workspace_uuid,
    by_operator: 0,
    kept_role: null,
    created_at: n,
    last_used_at: null,
    revoked_at: null,
    ...fields,
  })

  it('finds, counts and lists only usable keys', async () => {
    const db = await open()
    const store = createGrantStore(db, 'api_keys')
    const [user, other] = [await insertTestUser(db, { email: 'one@example.com' }), await insertTestUser(db)]
    await db.write(async () => {
      await store.insert(row(user, 1))
      await store.insert(row(user, 2, { revoked_at: 5 }))
      await store.insert(row(other, 3))
    })
    expect((await store.find('wm_1'))?.workspace_uuid).toBe(user)
    expect(await store.find('wm_2')).toBeUndefined()
    expect(await store.count(user)).toBe(1)
    expect((await store.list(user, listWindow({}))).map(({ api_key }) => api_key)).toEqual(['wm_1'])
    expect((await store.listAll()).map(({ api_key }) => api_key)).toEqual(['wm_1', 'wm_3'])
    expect(await store.listAll({ email: 'one@example.com' })).toMatchObject([
      { api_key: 'wm_1', email: 'one@example.com' },
    ])
    expect(await store.listAll({ workspaceUuid: other })).toMatchObject([{ api_key: 'wm_3' }])
    expect(await store.listAll({ email: 'one@example.com', workspaceUuid: other })).toEqual([])
    await db.write(() => store.endAll(other, 9, other, 'editor'))
    expect(await store.listAll()).toMatchObject([
      { api_key: 'wm_1', email: 'one@example.com', kept_role: null },
      { api_key: 'wm_3', email: null, created_by: null, kept_role: 'editor' },
    ])
  })

  it('revokes a key once, only for its owner', async () => {
    const db = await open()
    const store = createGrantStore(db, 'api_keys')
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    const { uuid } = row(user, 1)
    const revoked = await db.write(async () => {
      await store.insert(row(user, 1))
      return [
        await store.revoke(other, uuid, 9),
        await store.revoke(user, uuid, 9),
        await store.revoke(user, uuid, 9),
      ]
    })
    expect(revoked).toEqual([false, true, false])
  })
})
