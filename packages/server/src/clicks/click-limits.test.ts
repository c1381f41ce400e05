import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../storage/db/database.ts'
import { openDatabase } from '../storage/db/open.ts'
import { forEachDatabase } from '../storage/db/testing.ts'
import { hasClicksLeft, startFromKnownClicks, takeClick } from './click-limits.ts'
import { insertTestLink } from './testing.ts'

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  beforeAll(async () => {
    db = await openDatabase(await databases.place())
  })
  afterAll(() => db.close())

  test('allows exactly the limit under concurrent requests', async () => {
    const link = await insertTestLink(db, { max_clicks: 5 })
    expect(await hasClicksLeft(db, link.uuid, 5)).toBe(true)
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeClick(db, link.uuid, 5)))
    expect(taken.filter(Boolean)).toHaveLength(5)
    expect(await hasClicksLeft(db, link.uuid, 5)).toBe(false)
    expect(await takeClick(db, link.uuid, 6)).toBe(true)
    expect(await takeClick(db, randomUUID(), 5)).toBe(false)
  })

  test('a new limit starts at the clicks known when it is set, and never decreases the count', async () => {
    const link = await insertTestLink(db, { max_clicks: 5, clicks: 3 })
    const start = () => db.write(() => startFromKnownClicks(db, link.uuid))
    await start()
    expect(await takeClick(db, link.uuid, 5)).toBe(true)
    await start()
    const taken = await Promise.all([1, 2, 3].map(() => takeClick(db, link.uuid, 5)))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })
})
