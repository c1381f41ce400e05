import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ClickStore } from '../../clicks/counting/click-store.ts'
import type { EnrichedClick } from '../../clicks/counting/enrich.ts'
import { enrichedClick, insertTestLink, openTestStore } from '../../clicks/testing.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { type AnalyticsService, createAnalytics } from './analytics.service.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 10, 15, 12)

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore
  let analytics: AnalyticsService
  let link: LinkRow

  const click = ({ atMs = NOW, subject = link.uuid, ...fields }: Partial<EnrichedClick>): EnrichedClick =>
    enrichedClick(subject, atMs, fields)

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
    analytics = createAnalytics(db, () => NOW)
    link = await insertTestLink(db)
    const second = await insertTestLink(db, { user_uuid: link.user_uuid })
    const clicks = [
      click({}),
      click({ atMs: NOW - DAY_MS, visitor: 2, country: 'FR' }),
      click({ bot: true }),
      click({ atMs: NOW - 40 * DAY_MS }),
      click({ subject: second.uuid }),
    ]
    await store.position('spool')
    await store.write({ file: 'spool', from: 0, to: 1, clicks })
  })

  afterAll(async () => {
    await store.close()
    await db.close()
  })

  it('shows the last 30 days of all links by day, when nothing else is requested', async () => {
    const shown = await analytics.get(link.user_uuid, {})
    expect(shown).toMatchObject({
      uuid: null,
      from: new Date(NOW - 30 * DAY_MS).toISOString(),
      to: new Date(NOW).toISOString(),
      interval: 'day',
      totals: { clicks: 3, bots: 1 },
      by: null,
      breakdown: [],
    })
    expect(shown.series).toHaveLength(31)
    expect(shown.series.at(-1)).toMatchObject({ at: '2026-11-15T00:00:00.000Z', clicks: 2 })
  })

  it('shows one link, in the time and by the dimension that are requested', async () => {
    const { uuid, user_uuid } = link
    const shown = await analytics.get(user_uuid, { uuid, from: NOW - 60 * DAY_MS, by: 'country' })
    expect(shown).toMatchObject({ uuid, totals: { clicks: 3, bots: 1 }, by: 'country' })
    expect(shown.breakdown).toEqual([
      { value: 'DE', clicks: 2 },
      { value: 'FR', clicks: 1 },
    ])
    const hours = await analytics.get(user_uuid, { uuid, from: NOW - 3_600_000, interval: 'hour' })
    expect(hours.series.map(({ clicks }) => clicks)).toEqual([0, 1])
  })

  it('finds nothing of another user, and nothing that does not exist', async () => {
    const other = await insertTestUser(db)
    expect((await analytics.get(other, {})).totals).toEqual({ clicks: 0, uniques: 0, bots: 0 })
    for (const uuid of [link.uuid, crypto.randomUUID()])
      await expect(analytics.get(other, { uuid })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('rejects a time that ends before it starts, and more points than fit', async () => {
    await expect(analytics.get(link.user_uuid, { from: NOW + 1, to: NOW })).rejects.toMatchObject({
      errors: { from: ['Must not be after to'] },
    })
    const year = { from: NOW - 365 * DAY_MS, to: NOW, interval: 'hour' } as const
    await expect(analytics.get(link.user_uuid, year)).rejects.toMatchObject({
      errors: { interval: [expect.any(String)] },
    })
  })
})
