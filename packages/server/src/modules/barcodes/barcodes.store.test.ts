import { expect, it } from 'vitest'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { type BarcodeRow, createBarcodeStore } from './barcodes.store.ts'

forEachDatabase((_engine, open) => {
  it('shows a barcode to visitors as long as its account exists', async () => {
    const db = await open()
    const store = createBarcodeStore(db)
    const user = await insertTestUser(db)
    const row: BarcodeRow = {
      uuid: '00000000-0000-7000-8000-000000000001',
      workspace_uuid: user,
      url: 'https://example.com/',
      description: null,
      size: 100,
      color: '#000000',
      text: null,
      text_size: 20,
      text_color: '#000000',
      text_position: 'bottom',
      symbology: 'code128',
      value: null,
      dynamic: 0,
      encodes: 'https://example.com/',
      link_uuid: null,
      warnings: '[]',
      grade: null,
      version: '',
      created_by: null,
      created_at: 1,
      updated_at: 1,
      trashed_at: 0,
    }
    await db.write(() => store.insert(row))
    expect(await store.findPublic(row.uuid)).toMatchObject(row)
    expect(await store.findPublic('00000000-0000-7000-8000-000000000002')).toBeUndefined()
    await db.write(() =>
      db.sql.updateTable('workspaces').set({ removed_at: 1 }).where('uuid', '=', user).execute(),
    )
    expect(await store.findPublic(row.uuid)).toBeUndefined()
  })
})
