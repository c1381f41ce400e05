import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickStore } from '../../clicks/counting/click-store.ts'
import { scopeKey } from '../../clicks/counting/scope-key.ts'
import { linksOf } from '../../clicks/statistics/analytics-scope.ts'
import { readStats } from '../../clicks/statistics/read-stats.ts'
import { closeOldestDay, enrichedClick, insertTestLink, openTestStore } from '../../clicks/testing.ts'
import { createIds } from '../../storage/db/ids.ts'
import { DAY_MS } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import type { AnalyticsService } from './analytics.service.ts'
import { rehearse } from './rehearsal.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const MONDAY = Date.UTC(2026, 9, 5)
/** A little more than is worth adding up by week. */
const CLICKS = 1_100
/** So many that statistics about them read weeks. */
const LINKS = 10

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore
  const asked: string[] = []
  const analytics = {
    get: async (workspaceUuid: string) => void asked.push(workspaceUuid),
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
    const links = [await insertTestLink(db)]
    const userId = links[0]!.workspace_uuid
    while (links.length < LINKS) links.push(await insertTestLink(db, { workspace_uuid: userId }))
    const tags = links.map(({ uuid }) => ({ workspace_uuid: userId, link_uuid: uuid, tag: 'news' }))
    await db.write(() => db.sql.insertInto('link_tags').values(tags).execute())
    const clicks = Array.from({ length: CLICKS }, (_, n) =>
      enrichedClick(links[n % LINKS]!.uuid, MONDAY + n * 60_000),
    )
    await store.position('spool')
    await store.write({ file: 'spool', from: 0, to: 1, clicks })
    while (await closeOldestDay(store, MONDAY + 10 * DAY_MS));
    while (await store.sumWeek());
    expect(await run()).toBe(5)
    expect(new Set(asked)).toEqual(new Set([userId]))
  })

  it('an account whose links are all in the trash', async () => {
    const trash = (at: number) =>
      db.write(() => db.sql.updateTable('links').set({ trashed_at: at }).execute())
    await trash(NOW)
    expect(await run()).toBe(5)
    await trash(0)
  })

  it('what a frequent tag adds up to stays in memory', async () => {
    await run()
    const { workspace_uuid: userId } = await db.sql
      .selectFrom('link_tags')
      .selectAll()
      .limit(1)
      .executeTakeFirstOrThrow()
    // Nothing but the names of weeks is read again.
    await db.write(async () => {
      const ofUser = scopeKey(userId)
      await db.sql.deleteFrom('season_links').where('user_key', '=', ofUser).execute()
      await db.sql.deleteFrom('click_batches').where('user_key', '=', ofUser).execute()
    })
    const scope = await linksOf(db, userId, { tag: 'news', domain: undefined })
    const range = { fromMs: MONDAY, toMs: MONDAY + 7 * DAY_MS - 1 }
    const { totals } = await readStats(db, { userId, scope, ...range, interval: 'day', by: 'country' })
    expect(totals.clicks).toBe(CLICKS)
  })

  it('ends with the server', async () => {
    const running = run()
    closing.abort()
    expect(await running).toBe(0)
  })
})
