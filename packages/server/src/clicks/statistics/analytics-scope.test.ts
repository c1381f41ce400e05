import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { insertTestLink } from '../testing.ts'
import { analyticsScope } from './analytics-scope.ts'

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await databases.place())
  })
  afterAll(() => db.close())

  test('finds the links and pages of a workspace, and none of others', async () => {
    const link = await insertTestLink(db)
    const utm = {
      uuid: randomUUID(),
      workspace_uuid: link.workspace_uuid,
      url: '',
      utm_url: '',
      created_at: 0,
      updated_at: 0,
      trashed_at: 0,
    }
    const fields = {
      source: null,
      medium: null,
      campaign: null,
      content: null,
      term: null,
      warnings: '[]',
      link_uuid: link.uuid,
    }
    await db.write(() =>
      db.sql
        .insertInto('utm_links')
        .values({ ...utm, ...fields })
        .execute(),
    )
    expect(await analyticsScope(db, link.workspace_uuid, [link.uuid])).toEqual([link.uuid])
    expect(await analyticsScope(db, link.workspace_uuid, [utm.uuid, link.uuid])).toEqual([link.uuid])
    expect(await analyticsScope(db, await insertTestUser(db), [link.uuid])).toBeUndefined()
    expect(await analyticsScope(db, link.workspace_uuid, [link.uuid, randomUUID()])).toBeUndefined()
  })
})
