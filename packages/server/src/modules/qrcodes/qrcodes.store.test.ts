import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { createQrcodeStore, type QrcodeRow } from './qrcodes.store.ts'

forEachDatabase((_engine, open) => {
  const row = (workspace_uuid: string, n: number): QrcodeRow => ({
    uuid: `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`,
    workspace_uuid,
    url: 'https://example.com/',
    content: null,
    payload: null,
    content_text: null,
    description: null,
    size: 300,
    color: '#000000',
    eye_color: '#000000',
    background: '#ffffff',
    margin: 4,
    pattern: 'squares',
    style: null,
    eye_style: null,
    frame_font: null,
    frame: null,
    logo_hash: null,
    dynamic: 0,
    encodes: 'https://example.com/',
    link_uuid: null,
    drawing: '{}',
    warnings: '[]',
    grade: null,
    version: '',
    created_by: null,
    created_at: n,
    updated_at: n,
    trashed_at: 0,
  })

  it('shows a code to visitors as long as its account exists, and lists it only to its owner', async () => {
    const db = await open()
    const store = createQrcodeStore(db)
    const [user, other] = [await insertTestUser(db), await insertTestUser(db)]
    const [mine, theirs] = [row(user, 1), row(other, 2)]
    await db.write(async () => {
      await store.insert(mine)
      await store.insert(theirs)
    })
    expect(await store.findPublic(mine.uuid)).toMatchObject(mine)
    expect(await store.findMany(user, [mine.uuid, theirs.uuid])).toMatchObject([mine])
    expect(await store.findMany(user, [])).toEqual([])
    await db.write(() =>
      db.sql.updateTable('workspaces').set({ removed_at: 1 }).where('uuid', '=', user).execute(),
    )
    expect(await store.findPublic(mine.uuid)).toBeUndefined()
    expect((await store.findPublic(theirs.uuid))?.uuid).toBe(theirs.uuid)
  })
})
