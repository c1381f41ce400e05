import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ClickStore } from '../../clicks/counting/click-store.ts'
import type { StoredClick } from '../../clicks/batches/stored-click.ts'
import { databaseStatistics } from '../../clicks/statistics/database.ts'
import { linksOf } from '../../clicks/statistics/analytics-scope.ts'
import { mergeOldestDay, storedClick, insertTestLink, openTestStore } from '../../clicks/testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import type { LinkRow } from '../../storage/db/tables.ts'
import { forEachDatabase, insertTestUser } from '../../storage/db/testing.ts'
import { type AnalyticsService, createAnalytics } from './analytics.service.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const iso = (atMs: number): string => new Date(atMs).toISOString()

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore
  let analytics: AnalyticsService
  let link: LinkRow

  const click = ({ atMs = NOW, resourceUuid = link.uuid, ...fields }: Partial<StoredClick>): StoredClick =>
    storedClick(resourceUuid, atMs, fields)

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
    analytics = createAnalytics({
      db,
      statistics: databaseStatistics(db, undefined),
      now: () => NOW,
      retentionDays: 365,
      ownHost: 'go.example',
      clickedLinks: async () => new Map(),
      labelsOf: async () => ({ button: new Map([['2', 'Shop']]), icon: new Map() }),
    })
    link = await insertTestLink(db)
    const second = await insertTestLink(db, { workspace_uuid: link.workspace_uuid })
    const clicks = [
      click({}),
      click({ atMs: NOW - DAY_MS, visitor: 2, country: 'FR' }),
      click({ bot: true }),
      click({ atMs: NOW - 40 * DAY_MS }),
      click({ resourceUuid: second.uuid }),
    ]
    await store.position('spool')
    await store.write({ file: 'spool', from: 0, to: 1, clicks })
  })

  afterAll(async () => {
    await store.close()
    await db.close()
  })

  it('shows the last 30 days of all links by day, by default', async () => {
    const shown = await analytics.get(link.workspace_uuid, {})
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

  describe('an export of single clicks', () => {
    const exported = async (query: Parameters<AnalyticsService['exportClicks']>[1]): Promise<string> =>
      text(await analytics.exportClicks(link.workspace_uuid, query))

    it('has all columns of the last 30 days, oldest first and including bots', async () => {
      const [header, ...rows] = (await exported({ uuid: [link.uuid] })).trimEnd().split('\r\n')
      expect(header).toBe(
        'at,code,domain,link_uuid,kind,country,language,device,os,browser,referrer,utm_source,utm_medium,utm_campaign,variant,rule,bot',
      )
      const start = `${link.short_code},go.example,${link.uuid},link`
      const end = 'de,mobile,iOS,Safari,,,,,,'
      expect(rows).toEqual([
        `2026-11-14T12:00:00.000Z,${start},FR,${end},false`,
        `2026-11-15T12:00:00.000Z,${start},DE,${end},false`,
        `2026-11-15T12:00:00.000Z,${start},DE,${end},true`,
      ])
    })

    it('covers a period and an account, as NDJSON if requested', async () => {
      const lines = async (query: object) =>
        (await exported({ ...query, format: 'ndjson' })).split('\n').slice(0, -1)
      expect(await lines({})).toHaveLength(4)
      expect(await lines({ from: iso(NOW - 60 * DAY_MS) })).toHaveLength(5)
      const [only = '{}', ...others] = await lines({ from: '2026-11-14', to: '2026-11-14' })
      expect([JSON.parse(only), others]).toEqual([
        expect.objectContaining({ at: '2026-11-14T12:00:00.000Z', country: 'FR', os: 'iOS', bot: false }),
        [],
      ])
      expect(await lines({ to: iso(NOW - 1), from: iso(NOW - DAY_MS + 1) })).toEqual([])
      expect(await exported({ tag: 'none' })).toMatch(/^at,[^\n]*\r\n$/)
    })

    it('escapes formulas, and has no names of erased resources', async () => {
      const { workspace_uuid } = await insertTestLink(db)
      const removed = await insertTestLink(db, { workspace_uuid })
      const hostile = click({ resourceUuid: removed.uuid, utm_source: '=1+1', referrer: 'a",\r\n' })
      await store.position('hostile')
      await store.write({ file: 'hostile', from: 0, to: 1, clicks: [hostile] })
      await db.write(() => db.sql.deleteFrom('links').where('uuid', '=', removed.uuid).execute())
      const csv = await text(await analytics.exportClicks(workspace_uuid, {}))
      expect(csv.split('\r\n').slice(1).join('\r\n')).toBe(
        `2026-11-15T12:00:00.000Z,,,${removed.uuid},link,DE,de,mobile,iOS,Safari,"a"",\r\n",'=1+1,,,,,false\r\n`,
      )
    })

    it('rejects resources of others, and periods that end before they begin', async () => {
      const stranger = await insertTestLink(db)
      await expect(exported({ uuid: [stranger.uuid] })).rejects.toMatchObject({ status: 404 })
      await expect(exported({ from: '2026-11-02', to: '2026-11-01' })).rejects.toMatchObject({ status: 422 })
      await expect(exported({ uuid: [link.uuid], tag: 'x' })).rejects.toMatchObject({ status: 422 })
    })
  })

  it('shows one link, with the requested period and dimension', async () => {
    const { uuid, workspace_uuid } = link
    const shown = await analytics.get(workspace_uuid, {
      uuid: [uuid],
      from: iso(NOW - 60 * DAY_MS),
      by: ['country'],
    })
    expect(shown).toMatchObject({ uuid, totals: { clicks: 3, bots: 1 }, by: 'country' })
    expect(shown.breakdown).toEqual([
      { value: 'DE', clicks: 2 },
      { value: 'FR', clicks: 1 },
    ])
    const hours = await analytics.get(workspace_uuid, {
      uuid: [uuid],
      from: iso(NOW - 3_600_000),
      interval: 'hour',
    })
    expect(hours.series.map(({ clicks }) => clicks)).toEqual([0, 1])
  })

  it('finds nothing of other users, and nothing that does not exist', async () => {
    const other = await insertTestUser(db)
    expect((await analytics.get(other, {})).totals).toEqual({ clicks: 0, uniques: 0, bots: 0 })
    for (const uuid of [link.uuid, crypto.randomUUID()])
      await expect(analytics.get(other, { uuid: [uuid] })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('rejects a period that ends before it starts, and too many points', async () => {
    await expect(
      analytics.get(link.workspace_uuid, { from: iso(NOW + 1), to: iso(NOW) }),
    ).rejects.toMatchObject({
      errors: { from: ['Must not be after to'] },
    })
    const year = { from: iso(NOW - 365 * DAY_MS), to: iso(NOW), interval: 'hour' } as const
    await expect(analytics.get(link.workspace_uuid, year)).rejects.toMatchObject({
      errors: { interval: [expect.any(String)] },
    })
  })

  describe('with scopes, filters and time zones', () => {
    let user: string
    let first: LinkRow
    let second: LinkRow
    const get = (query: Parameters<AnalyticsService['get']>[1]) => analytics.get(user, query)
    const clicksFor = async (query: Parameters<AnalyticsService['get']>[1]) =>
      (await get(query)).totals.clicks

    beforeAll(async () => {
      user = await insertTestUser(db)
      first = await insertTestLink(db, { workspace_uuid: user, tag: 'spring' })
      second = await insertTestLink(db, { workspace_uuid: user, domain: 'links.example' })
      await db.write(() =>
        db.sql
          .insertInto('link_tags')
          .values({ workspace_uuid: user, tag: 'spring', link_uuid: first.uuid })
          .execute(),
      )
      const of = (link: LinkRow, atMs: number, fields: Partial<StoredClick>) =>
        storedClick(link.uuid, atMs, fields)
      const clicks = [
        of(first, NOW, { visitor: 1, language: 'fr', country: 'FR', browser: 'Chrome' }),
        of(first, NOW, { visitor: 2, utm_source: 'mail', variant: 'B', rule: '0', scanned: true }),
        // 20:00 UTC is the next day in India, 18:29 is not.
        of(first, NOW - DAY_MS + 8 * HOUR_MS, { visitor: 1, country: 'FR', browser: 'Safari' }),
        of(first, NOW - DAY_MS + 6 * HOUR_MS + 29 * 60_000, { visitor: 1, country: '' }),
        of(second, NOW - 3 * DAY_MS, { visitor: 3, country: 'FR', browser: 'Chrome' }),
        of(second, NOW, { bot: true, country: 'US' }),
      ]
      await store.position('more')
      await store.write({ file: 'more', from: 0, to: 1, clicks })
    })

    it('adds up several links, a tag, a domain and the account', async () => {
      expect(await clicksFor({})).toBe(5)
      expect(await clicksFor({ uuid: [first.uuid, second.uuid] })).toBe(5)
      expect(await clicksFor({ tag: 'spring' })).toBe(4)
      expect(await clicksFor({ tag: 'autumn' })).toBe(0)
      expect(await clicksFor({ domain: 'links.example' })).toBe(1)
      expect(await clicksFor({ domain: 'Go.example' })).toBe(4)
      expect(await clicksFor({ domain: 'links.example', tag: 'spring' })).toBe(0)
      await expect(get({ uuid: [first.uuid], tag: 'spring' })).rejects.toMatchObject({
        errors: { uuid: [expect.any(String)] },
      })
      await expect(get({ uuid: [first.uuid, link.uuid] })).rejects.toMatchObject({ code: 'not_found' })
    })

    it('finds the links of a tag, of a domain and of both, without those in the trash', async () => {
      const owner = await insertTestUser(db)
      const of = (fields: Partial<LinkRow>) => insertTestLink(db, { workspace_uuid: owner, ...fields })
      const plain = await of({})
      const branded = await of({ domain: 'brand.example' })
      const trashed = [await of({ trashed_at: NOW }), await of({ trashed_at: NOW, domain: 'brand.example' })]
      const untagged = await of({ domain: 'brand.example' })
      const rows = [plain, branded, ...trashed].map(({ uuid }) => ({
        workspace_uuid: owner,
        tag: 'sale',
        link_uuid: uuid,
      }))
      await db.write(() => db.sql.insertInto('link_tags').values(rows).execute())
      const find = async (tag: string | undefined, domain: string | undefined) =>
        (await linksOf(db, owner, { tag, domain })).toSorted()
      expect(await find('sale', undefined)).toEqual([plain.uuid, branded.uuid].toSorted())
      expect(await find('sale', 'brand.example')).toEqual([branded.uuid])
      expect(await find('sale', '')).toEqual([plain.uuid])
      expect(await find(undefined, 'brand.example')).toEqual([branded.uuid, untagged.uuid].toSorted())
      expect(await find('sold', undefined)).toEqual([])
    })

    it('filters by several dimensions', async () => {
      expect(await clicksFor({ country: ['FR'] })).toBe(3)
      expect(await clicksFor({ country: ['FR'], browser: ['Chrome'] })).toBe(2)
      expect(await clicksFor({ country: ['FR', 'DE'], browser: ['Safari'] })).toBe(2)
      expect(await clicksFor({ country: ['(none)'] })).toBe(1)
      expect(await clicksFor({ country: ['FR'], browser: ['Chrome'], tag: 'spring' })).toBe(1)
      expect(await clicksFor({ country: ['fr'], browser: ['chrome'], device: ['Desktop'] })).toBe(
        await clicksFor({ country: ['FR'], browser: ['Chrome'], device: ['desktop'] }),
      )
      expect(await clicksFor({ country: ['fr'], browser: ['chrome'] })).toBe(2)
      expect(await clicksFor({ language: ['FR'] })).toBe(1)
      expect(await clicksFor({ utm_source: ['mail'], variant: ['B'], rule: ['0'], source: 'qr' })).toBe(1)
      expect(await clicksFor({ utm_medium: ['mail'] })).toBe(0)
      expect((await get({ bot: true })).totals).toEqual({ clicks: 0, uniques: 0, bots: 1 })
      expect((await get({ bot: true, by: ['country'] })).breakdown).toEqual([{ value: 'US', clicks: 1 }])
      expect((await get({ bot: false })).totals).toEqual({ clicks: 5, uniques: 4, bots: 0 })
    })

    it.each([
      ['source', ['link', 4], ['qr', 1]],
      ['variant', ['', 4], ['B', 1]],
      ['rule', ['', 4], ['0', 1]],
      ['utm_source', ['', 4], ['mail', 1]],
      ['language', ['de', 4], ['fr', 1]],
    ] as const)('breaks down by %s', async (by, ...shares) => {
      expect((await get({ by: [by] })).breakdown).toEqual(
        shares.map(([value, clicks]) => ({ value, clicks })),
      )
    })

    it('breaks down by several dimensions, and by one as before', async () => {
      const one = await get({ by: ['country'], compare: true })
      expect(one).not.toHaveProperty('breakdowns')
      const language = (await get({ by: ['language'] })).breakdown
      expect(await get({ by: ['country', 'language'], compare: true })).toEqual({
        ...one,
        by: null,
        breakdown: [],
        breakdowns: { country: one.breakdown, language },
      })
    })

    it('uses days of the time zone, to the half hour', async () => {
      const shown = await get({ timezone: 'Asia/Kolkata', from: '2026-11-14', to: '2026-11-15' })
      expect(shown).toMatchObject({ timezone: 'Asia/Kolkata', timezone_exact: true })
      expect(shown.series.map(({ at, clicks }) => [at, clicks])).toEqual([
        ['2026-11-13T18:30:00.000Z', 1],
        ['2026-11-14T18:30:00.000Z', 3],
      ])
      const hours = await get({ timezone: 'Asia/Kolkata', by: ['hour_of_week'], from: '2026-11-15' })
      // Sunday 17:30 twice, and 01:30 of the same night.
      expect(hours.breakdown).toEqual([
        { value: '7-17', clicks: 2 },
        { value: '7-01', clicks: 1 },
      ])
      const longAgo = { from: '2020-01-01', to: '2026-11-15', interval: 'month' } as const
      expect((await get({ timezone: 'Asia/Kolkata', ...longAgo })).timezone_exact).toBe(false)
      expect((await get({ timezone: 'Europe/Berlin', ...longAgo })).timezone_exact).toBe(true)
      await expect(get({ timezone: 'Mars/Base' })).rejects.toMatchObject({
        errors: { timezone: ['Must be a time zone such as Europe/Berlin'] },
      })
    })

    it('compares with the previous period', async () => {
      const shown = await get({ from: '2026-11-14', to: '2026-11-15', compare: true })
      expect(shown.totals.clicks).toBe(4)
      expect(shown.previous).toEqual({
        from: '2026-11-12T00:00:00.000Z',
        to: '2026-11-13T23:59:59.999Z',
        totals: { clicks: 1, uniques: 1, bots: 0 },
        series: [
          { at: '2026-11-12T00:00:00.000Z', clicks: 1, uniques: 1, bots: 0 },
          { at: '2026-11-13T00:00:00.000Z', clicks: 0, uniques: 0, bots: 0 },
        ],
      })
      expect((await get({})).previous).toBeNull()
    })

    it.each([
      ['2026-04-01', '2026-04-30', '2026-03-01T23:00:00.000Z', 30],
      ['2026-10-01', '2026-10-31', '2026-08-30T22:00:00.000Z', 31],
      ['2026-10-26', '2026-10-26', '2026-10-24T22:00:00.000Z', 1],
    ])('compares %s to %s with as many days when the clocks change', async (from, to, before, days) => {
      const shown = await get({ from, to, timezone: 'Europe/Berlin', compare: true })
      expect(shown.series).toHaveLength(days)
      expect(shown.previous?.series).toHaveLength(days)
      expect(shown.previous?.from).toBe(before)
      expect(shown.previous?.series[0]?.at).toBe(before)
    })

    it('returns the same after the days are merged', async () => {
      const queries: Parameters<AnalyticsService['get']>[1][] = [
        { by: ['source'] },
        { tag: 'spring', by: ['country'], compare: true },
        { country: ['FR'], by: ['browser', 'device', 'rule'], compare: true },
        { timezone: 'Asia/Kathmandu', by: ['language'], interval: 'hour', from: '2026-11-14' },
        { uuid: [first.uuid, second.uuid], timezone: 'America/New_York', by: ['hour_of_week'] },
      ]
      const all = () => Promise.all(queries.map(get))
      const before = await all()
      while (await mergeOldestDay(store, NOW + DAY_MS));
      expect(await all()).toEqual(before)
    })
  })
})
