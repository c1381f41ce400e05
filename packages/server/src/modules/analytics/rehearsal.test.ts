import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickStore } from '../../clicks/counting/click-store.ts'
import { enrichedClick, insertTestLink, openTestStore } from '../../clicks/testing.ts'
import { createIds } from '../../runtime/ids.ts'
import { DAY_MS } from '../../runtime/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { AnalyticsService } from './analytics.service.ts'
import { rehearse } from './rehearsal.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MONDAY = Date.UTC(2026, 9, 5)
/** A little more than is worth adding up by week. */
const CLICKS = 1_100

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore
  const asked: string[] = []
  const analytics = {
    get: async (userUuid: string) => void asked.push(userUuid),
  } as unknown as AnalyticsService
  const closing = new AbortController()
  const run = () =>
    rehearse({ db, analytics, now: () => NOW, newId: createIds(), afterStartMs: 10 }, closing.signal)

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
  })
  afterAll(async () => {
    await store.close()
    await db.close()
  })

  it('asks about an account that has weeks of clicks, and otherwise not at all', async () => {
    await insertTestUser(db)
    expect(await run()).toBe(0)
    const link = await insertTestLink(db)
    const clicks = Array.from({ length: CLICKS }, (_, n) => enrichedClick(link.uuid, MONDAY + n * 60_000))
    await store.position('spool')
    await store.write({ file: 'spool', from: 0, to: 1, clicks })
    while (await store.closeDays(MONDAY + 10 * DAY_MS));
    while (await store.sumWeek());
    expect(await run()).toBe(5)
    expect(new Set(asked)).toEqual(new Set([link.user_uuid]))
  })

  it('ends with the server', async () => {
    const running = run()
    closing.abort()
    expect(await running).toBe(0)
  })
})
