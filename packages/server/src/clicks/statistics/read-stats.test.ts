import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { forEachDatabase, insertTestUser, type Place } from '../../storage/db/testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import { hasClicksLeft, startFromKnownClicks, takeClick } from '../click-limits.ts'
import type { ClickStore } from '../counting/click-store.ts'
import type { EnrichedClick } from '../counting/enrich.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { dayNumber } from '../counting/visit-id.ts'
import { closeOldestDay, enrichedClick, insertTestLink, keptClicksOf, openTestStore } from '../testing.ts'
import { analyticsScope } from './analytics-scope.ts'
import { createClickEraser } from './erasure.ts'
import { forgetVisitors, sweepClicks } from './retention.ts'
import { readStats } from './read-stats.ts'
import type { StatsQuery } from './stats-query.ts'
import { openTimeZone } from './time-zone.ts'

const MONDAY = Date.UTC(2026, 10, 9)
const iso = (ms: number) => new Date(ms).toISOString()

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore

  const places: Place[] = []

  const open = async () => {
    const place = await databases.place()
    places.push(place)
    db = await openDatabase(place)
    store = openTestStore(place)
  }
  const close = async () => {
    await store.close()
    await db.close()
  }

  beforeAll(open)
  afterAll(close)

  const click = (link: LinkRow, atMs: number, fields: Partial<EnrichedClick> = {}): EnrichedClick =>
    enrichedClick(link.uuid, atMs, fields)

  async function count(clicks: EnrichedClick[]): Promise<void> {
    const file = randomUUID()
    await store.position(file)
    expect(await store.write({ file, from: 0, to: 1, clicks })).toMatchObject({
      counted: clicks.length,
      dropped: 0,
    })
  }

  const closeDays = async (beforeMs: number): Promise<void> => {
    while (await closeOldestDay(store, beforeMs));
  }

  const query = (link: LinkRow, fields: Partial<StatsQuery> = {}): StatsQuery => ({
    userId: link.workspace_uuid,
    scope: [link.uuid],
    fromMs: MONDAY,
    toMs: MONDAY + 7 * DAY_MS - 1,
    interval: 'day',
    by: undefined,
    ...fields,
  })

  describe('readStats', () => {
    let link: LinkRow
    let other: LinkRow

    beforeAll(async () => {
      link = await insertTestLink(db)
      other = await insertTestLink(db, { workspace_uuid: link.workspace_uuid })
      await count([
        click(link, MONDAY - 1, { country: 'XX' }),
        click(link, MONDAY),
        click(link, MONDAY + HOUR_MS, { visitor: 2, country: 'FR', referrer: 'a.example' }),
        click(link, MONDAY + HOUR_MS, { bot: true }),
        click(other, MONDAY + 2 * HOUR_MS),
      ])
      // A second batch adds to the first, and knows its visitors.
      await count([click(link, MONDAY + 2 * DAY_MS, { country: 'FR' }), click(link, MONDAY + 3 * HOUR_MS)])
    })

    test('days that were closed add up to the same, a second time too', async () => {
      const queries: Partial<StatsQuery>[] = [
        { by: 'country' },
        { interval: 'hour', by: 'hour_of_week' },
        { scope: undefined, by: 'device' },
        { zone: openTimeZone('Asia/Kolkata'), by: 'language' },
        { filters: new Map([['country', new Set(['FR'])]]), by: 'source' },
      ]
      const all = () => Promise.all(queries.map((fields) => readStats(db, query(link, fields))))
      const open = await all()
      await closeDays(MONDAY + DAY_MS)
      expect(await all()).toEqual(open)
      await closeDays(MONDAY + 30 * DAY_MS)
      expect(await closeOldestDay(store, MONDAY + 30 * DAY_MS)).toBe(false)
      expect(await all()).toEqual(open)
    })

    test('the same values are listed, and the rest counted together, whichever sums a question is answered from', async () => {
      const target = await insertTestLink(db)
      const referrers = Array.from({ length: 3_000 }, (_, n) => `${String(n).padStart(5, '0')}.example`)
      const sent = [...referrers.toReversed(), ...referrers.filter((_, n) => n % 50 === 7)]
      // Twenty days, each with all of them.
      const clicks = (day: number) =>
        sent.map((referrer, n) => click(target, MONDAY + day * DAY_MS + n, { visitor: n, referrer }))
      for (let day = 0; day < 20; day++) await count(clicks(day))
      const range = { fromMs: MONDAY, toMs: MONDAY + 20 * DAY_MS - 1, by: 'referrer' } as const
      const many = [target.uuid, ...Array.from({ length: 60 }, () => randomUUID())]
      const open = await readStats(db, query(target, range))
      expect(open.breakdown).toHaveLength(101)
      expect(open.breakdown.slice(0, 2)).toEqual([
        { value: '00007.example', clicks: 40 },
        { value: '00057.example', clicks: 40 },
      ])
      expect(open.breakdown.at(-1)).toEqual({ value: '(other)', clicks: 20 * (3_060 - 2 * 60 - 40) })
      await closeDays(MONDAY + 60 * DAY_MS)
      const days = await readStats(db, query(target, range))
      const subsets = await readStats(db, query(target, { ...range, scope: many }))
      const filtered = await readStats(db, query(target, { ...range, bot: false }))
      while (await store.sumWeek());
      const weeks = await readStats(db, query(target, { ...range, scope: many }))
      for (const { breakdown } of [days, subsets, filtered, weeks]) expect(breakdown).toEqual(open.breakdown)
    })

    test('of many links, the days whose single clicks are gone come from what was added up', async () => {
      const many = [link.uuid, ...Array.from({ length: 60 }, () => randomUUID())]
      const fields = { by: 'country', fromMs: MONDAY - DAY_MS, interval: 'hour' } as const
      const one = await readStats(db, query(link, fields))
      for (const keptFromMs of [undefined, MONDAY, MONDAY + 2.5 * HOUR_MS, MONDAY + 30 * DAY_MS]) {
        const kept = keptFromMs === undefined ? {} : { keptFromMs }
        expect(await readStats(db, query(link, { ...fields, scope: many, ...kept }))).toEqual(one)
      }
    })

    test('days of one link, empty ones too', async () => {
      const { series, totals, breakdown } = await readStats(db, query(link))
      expect(series).toHaveLength(7)
      expect(series[0]).toEqual({ atMs: MONDAY, clicks: 3, uniques: 2, bots: 1 })
      expect(series[1]).toEqual({ atMs: MONDAY + DAY_MS, clicks: 0, uniques: 0, bots: 0 })
      expect(series[2]).toEqual({ atMs: MONDAY + 2 * DAY_MS, clicks: 1, uniques: 1, bots: 0 })
      expect(totals).toEqual({ clicks: 4, uniques: 3, bots: 1 })
      expect(breakdown).toEqual([])
    })

    test('hours', async () => {
      const { series } = await readStats(db, query(link, { interval: 'hour', toMs: MONDAY + DAY_MS - 1 }))
      expect(series).toHaveLength(24)
      expect(series.map(({ clicks }) => clicks).slice(0, 4)).toEqual([1, 1, 0, 1])
      expect(series.map(({ uniques }) => uniques).slice(0, 4)).toEqual([1, 1, 0, 0])
    })

    test('weeks and months', async () => {
      const range = { fromMs: MONDAY - DAY_MS, toMs: MONDAY + DAY_MS }
      const weeks = await readStats(db, query(link, { ...range, interval: 'week' }))
      expect(weeks.series.map(({ atMs, clicks }) => [iso(atMs), clicks])).toEqual([
        ['2026-11-02T00:00:00.000Z', 1],
        ['2026-11-09T00:00:00.000Z', 3],
      ])
      const months = await readStats(db, query(link, { ...range, interval: 'month' }))
      expect(months.series.map(({ atMs, clicks }) => [iso(atMs), clicks])).toEqual([
        ['2026-11-01T00:00:00.000Z', 4],
      ])
    })

    test('all links of the user together, a visitor of two links once', async () => {
      const { series } = await readStats(db, query(link, { scope: undefined }))
      expect(series[0]).toEqual({ atMs: MONDAY, clicks: 4, uniques: 2, bots: 1 })
    })

    test('where they came from, the most first', async () => {
      const countries = await readStats(db, query(link, { by: 'country' }))
      expect(countries.breakdown).toEqual([
        { value: 'DE', clicks: 2 },
        { value: 'FR', clicks: 2 },
      ])
      const referrers = await readStats(db, query(link, { by: 'referrer' }))
      expect(referrers.breakdown).toEqual([
        { value: '', clicks: 3 },
        { value: 'a.example', clicks: 1 },
      ])
    })

    test('nobody else sees them', async () => {
      const stranger = await insertTestUser(db)
      const { totals, breakdown } = await readStats(db, query(link, { userId: stranger, by: 'country' }))
      expect([totals, breakdown]).toEqual([{ clicks: 0, uniques: 0, bots: 0 }, []])
    })
  })

  test('two nodes that count the same links at once add up, and never wait for each other for ever', async () => {
    const first = await insertTestLink(db)
    const links = [first]
    for (let i = 0; i < 20; i++)
      links.push(await insertTestLink(db, { workspace_uuid: first.workspace_uuid }))
    const batch = (): EnrichedClick[] =>
      links.toSorted(() => Math.random() - 0.5).map((link, visitor) => click(link, MONDAY, { visitor }))
    const other = openTestStore(places.at(-1)!)
    const write = async (node: ClickStore) => {
      for (let round = 0; round < 20; round++) {
        const file = randomUUID()
        await node.position(file)
        await node.write({ file, from: 0, to: 1, clicks: batch() })
      }
    }
    await Promise.all([write(store), write(other)])
    await other.close()
    const { totals } = await readStats(db, query(first, { scope: undefined }))
    expect(totals).toEqual({ clicks: 40 * 21, uniques: 21, bots: 0 })
  })

  test('analyticsScope: what is counted for what a user owns, and for nobody else', async () => {
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

  test('uses: exactly as many as allowed, however many ask at once', async () => {
    const link = await insertTestLink(db, { max_clicks: 5 })
    expect(await hasClicksLeft(db, link.uuid, 5)).toBe(true)
    const taken = await Promise.all(Array.from({ length: 20 }, () => takeClick(db, link.uuid, 5)))
    expect(taken.filter(Boolean)).toHaveLength(5)
    expect(await hasClicksLeft(db, link.uuid, 5)).toBe(false)
    expect(await takeClick(db, link.uuid, 6)).toBe(true)
    expect(await takeClick(db, randomUUID(), 5)).toBe(false)
  })

  test('uses: a limit counts from the clicks known when it is set, and never back', async () => {
    const link = await insertTestLink(db, { max_clicks: 5, clicks: 3 })
    const start = () => db.write(() => startFromKnownClicks(db, link.uuid))
    await start()
    expect(await takeClick(db, link.uuid, 5)).toBe(true)
    await start()
    const taken = await Promise.all([1, 2, 3].map(() => takeClick(db, link.uuid, 5)))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('retention drops old clicks and visitors, and keeps what was counted', async () => {
    await close()
    await open()
    const link = await insertTestLink(db)
    const nowMs = Date.UTC(2026, 10, 15, 12)
    const days = [400, 370, 100, 1].map((ago) => nowMs - ago * DAY_MS)
    for (const atMs of days) {
      await store.salt(Math.floor(atMs / DAY_MS) * DAY_MS)
      await count(Array.from({ length: 3 }, (_, visitor) => click(link, atMs, { visitor })))
    }
    await closeDays(nowMs)
    await sweepClicks(db, { nowMs, retentionDays: 200, signal: AbortSignal.abort() })
    expect(await keptClicksOf(db, link.workspace_uuid, link.uuid)).toHaveLength(12)
    await sweepClicks(db, { nowMs, retentionDays: 200, chunkRows: 4 })
    await forgetVisitors(db, { nowMs, chunkRows: 4 })
    const left = await keptClicksOf(db, link.workspace_uuid, link.uuid)
    expect(new Set(left.map(({ atMs }) => atMs))).toEqual(new Set(days.slice(2)))
    const logged = await db.sql.selectFrom('visit_log').select(['day', 'visits']).execute()
    const salts = await db.sql.selectFrom('visitor_salts').select('day').execute()
    expect(salts).toEqual([{ day: Math.floor(days[3]! / DAY_MS) * DAY_MS }])
    // Three visitors, of the link and of all links of its user.
    expect(logged).toEqual([{ day: dayNumber(days[3]!), visits: 6 }])
    const { totals } = await readStats(db, query(link, { fromMs: nowMs - 500 * DAY_MS, toMs: nowMs }))
    expect(totals).toEqual({ clicks: 12, uniques: 12, bots: 0 })
    // A late click of a day that was dropped is still counted.
    await count([click(link, days[0]!)])
    await closeDays(nowMs)
    const late = await readStats(db, query(link, { fromMs: nowMs - 500 * DAY_MS, toMs: nowMs }))
    expect(late.totals.clicks).toBe(13)
  })

  test('erasing a user erases everything of theirs and nothing of others', async () => {
    const [mine, theirs] = [await insertTestLink(db), await insertTestLink(db)]
    for (const link of [mine, theirs]) {
      await count(Array.from({ length: 25 }, (_, i) => click(link, MONDAY + i * HOUR_MS, { visitor: i })))
    }
    await closeDays(MONDAY + DAY_MS)
    const erase = createClickEraser(db, 1, 1)
    const eraseAll = async () => {
      while (await db.write(() => erase(mine.workspace_uuid)));
    }
    await eraseAll()
    // A second pass, as the removal makes one, finds nothing and ends.
    await eraseAll()
    const rowsOf = async (link: LinkRow) => {
      const clicks = await keptClicksOf(db, link.workspace_uuid, link.uuid)
      const counts = await db.sql
        .selectFrom('click_days')
        .select('day')
        .where('user_key', '=', scopeKey(link.workspace_uuid))
        .execute()
      return [clicks.length, counts.length > 0]
    }
    expect(await rowsOf(mine)).toEqual([0, false])
    expect(await rowsOf(theirs)).toEqual([25, true])
  })
})
