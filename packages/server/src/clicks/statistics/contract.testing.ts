import { randomUUID } from 'node:crypto'
import { dimensions } from '@waymark/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredClick } from '../batches/stored-click.ts'
import { storedClick } from '../testing.ts'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import type { ClicksQuery, Dimension, ExportedClick, FiguresQuery, Statistics } from './statistics.ts'

/** An implementation of click storage, open for a test. */
export interface StatisticsUnderTest {
  readonly statistics: Statistics
  /** A workspace with this many links and a page. */
  workspace(
    links: number,
  ): Promise<{ readonly uuid: string; readonly links: readonly string[]; readonly page: string }>
  /** Counts clicks as one batch of the spool, and waits until statistics see them. */
  count(clicks: readonly StoredClick[]): Promise<void>
  /** Number of rows that the store has read so far for results. */
  rowsRead(): number
  /** Does all deferred work, such as merging batches of past days. */
  settle(): Promise<void>
  /** Runs work in a write, as account erasure does. */
  write<T>(work: () => Promise<T>): Promise<T>
  close(): Promise<void>
}

const MONDAY = Date.UTC(2026, 10, 9)
const NOTHING = { clicks: 0, uniques: 0, bots: 0 }

/** Tests that every implementation of `Statistics` must pass. */
export function describeStatistics(open: () => Promise<StatisticsUnderTest>): void {
  let under: StatisticsUnderTest

  beforeAll(async () => {
    under = await open()
  })
  afterAll(() => under.close())

  const query = (workspaceUuid: string, fields: Partial<FiguresQuery> = {}): FiguresQuery => ({
    workspaceUuid,
    scope: undefined,
    retainedFromMs: 0,
    fromMs: MONDAY,
    toMs: MONDAY + 7 * DAY_MS - 1,
    previousFromMs: undefined,
    interval: 'day',
    timezone: 'UTC',
    by: [],
    filters: new Map(),
    bot: undefined,
    ...fields,
  })
  const figures = (workspaceUuid: string, fields?: Partial<FiguresQuery>) =>
    under.statistics.figures(query(workspaceUuid, fields))
  /** The clicks by value of the one dimension of a query. */
  const breakdown = async (workspaceUuid: string, fields: Partial<FiguresQuery>) => {
    const [only = []] = (await figures(workspaceUuid, fields)).breakdowns.values()
    return only
  }
  const totals = async (workspaceUuid: string, fields?: Partial<FiguresQuery>) =>
    (await figures(workspaceUuid, fields)).totals
  const clicksOf = async (
    workspaceUuid: string,
    fields: Partial<ClicksQuery> = {},
  ): Promise<ExportedClick[]> => {
    const range = { scope: undefined, retainedFromMs: 0, fromMs: 0, toMs: MONDAY + 365 * DAY_MS }
    const all: ExportedClick[] = []
    for await (const click of under.statistics.clicks({ workspaceUuid, ...range, ...fields })) all.push(click)
    return all
  }

  describe('figures', () => {
    let workspace: string
    let link: string
    let other: string

    beforeAll(async () => {
      const made = await under.workspace(2)
      workspace = made.uuid
      ;[link = '', other = ''] = made.links
      await under.count([
        storedClick(link, MONDAY - 1, { country: 'XX' }),
        storedClick(link, MONDAY),
        storedClick(link, MONDAY + HOUR_MS, { visitor: 2, country: 'FR', referrer: 'a.example' }),
        storedClick(link, MONDAY + HOUR_MS, { bot: true }),
        storedClick(other, MONDAY + 2 * HOUR_MS),
      ])
      await under.count([
        storedClick(link, MONDAY + 2 * DAY_MS, { country: 'FR' }),
        storedClick(link, MONDAY + 3 * HOUR_MS, { scanned: true }),
      ])
    })

    test('are the same after deferred work', async () => {
      const questions: Partial<FiguresQuery>[] = [
        { by: ['country'] },
        { by: ['link'] },
        { scope: [link], by: ['device'] },
        { interval: 'hour', by: ['hour_of_week'] },
        { timezone: 'Asia/Kolkata', by: ['language'] },
        { filters: new Map([['country', new Set(['FR'])]]), by: ['source'] },
        { fromMs: MONDAY + 2 * DAY_MS, previousFromMs: MONDAY, by: [...dimensions] },
      ]
      const all = () => Promise.all(questions.map((fields) => figures(workspace, fields)))
      const before = await all()
      await under.settle()
      expect(await all()).toEqual(before)
      await under.settle()
      expect(await all()).toEqual(before)
    })

    test('can be broken down by link', async () => {
      expect(await breakdown(workspace, { by: ['link'] })).toEqual([
        { value: link, clicks: 4 },
        { value: other, clicks: 1 },
      ])
    })

    test('include every day of the period, even if empty', async () => {
      const found = await figures(workspace, { scope: [link] })
      expect(found.series).toHaveLength(7)
      expect(found.series.slice(0, 3)).toEqual([
        { atMs: MONDAY, clicks: 3, uniques: 2, bots: 1 },
        { atMs: MONDAY + DAY_MS, ...NOTHING },
        { atMs: MONDAY + 2 * DAY_MS, clicks: 1, uniques: 1, bots: 0 },
      ])
      expect(found).toMatchObject({
        totals: { clicks: 4, uniques: 3, bots: 1 },
        breakdowns: new Map(),
        uniquesExact: true,
      })
    })

    test('by hour: a visitor counts at the first click of the day', async () => {
      const { series } = await figures(workspace, {
        scope: [link],
        interval: 'hour',
        toMs: MONDAY + DAY_MS - 1,
      })
      expect(series).toHaveLength(24)
      expect(series.slice(0, 4).map(({ clicks, uniques }) => [clicks, uniques])).toEqual([
        [1, 1],
        [1, 1],
        [0, 0],
        [1, 0],
      ])
    })

    test('by week and month', async () => {
      const range = { scope: [link], fromMs: MONDAY - DAY_MS, toMs: MONDAY + DAY_MS }
      const weeks = await figures(workspace, { ...range, interval: 'week' })
      expect(weeks.series.map(({ atMs, clicks }) => [atMs, clicks])).toEqual([
        [MONDAY - 7 * DAY_MS, 1],
        [MONDAY, 3],
      ])
      const months = await figures(workspace, { ...range, interval: 'month' })
      expect(months.series.map(({ atMs, clicks }) => [atMs, clicks])).toEqual([[Date.UTC(2026, 10), 4]])
    })

    test('count a visitor of two links once, for all links and for a list of links', async () => {
      const expected = { clicks: 4, uniques: 2, bots: 1 }
      expect((await figures(workspace)).series[0]).toMatchObject(expected)
      expect((await figures(workspace, { scope: [link, other] })).series[0]).toMatchObject(expected)
    })

    test('count the visitors of a filter within that filter', async () => {
      const day = { toMs: MONDAY + DAY_MS - 1 }
      const scans = new Map([['source', new Set(['qr'])]]) as FiguresQuery['filters']
      expect(await totals(workspace, { ...day, filters: scans })).toEqual({ clicks: 1, uniques: 1, bots: 0 })
      const french = new Map([['country', new Set(['FR', ''])]]) as FiguresQuery['filters']
      expect(await totals(workspace, { ...day, filters: french })).toEqual({ clicks: 1, uniques: 1, bots: 0 })
    })

    test('with bots only, and without bots', async () => {
      expect(await totals(workspace, { bot: true })).toEqual({ ...NOTHING, bots: 1 })
      expect(await totals(workspace, { bot: false })).toEqual({ clicks: 5, uniques: 3, bots: 0 })
      expect(await breakdown(workspace, { bot: true, by: ['country'] })).toEqual([{ value: 'DE', clicks: 1 }])
    })

    test('by dimension, most frequent first, unknown as an empty value', async () => {
      const by = async (dimension: Dimension) =>
        (await breakdown(workspace, { scope: [link], by: [dimension] })).map(({ value, clicks }) => [
          value,
          clicks,
        ])
      expect(await by('country')).toEqual([
        ['DE', 2],
        ['FR', 2],
      ])
      expect(await by('referrer')).toEqual([
        ['', 3],
        ['a.example', 1],
      ])
      expect(await by('source')).toEqual([
        ['link', 3],
        ['qr', 1],
      ])
      expect(await by('hour_of_week')).toEqual([
        ['1-00', 1],
        ['1-01', 1],
        ['1-03', 1],
        ['3-00', 1],
      ])
    })

    test('by day in a time zone', async () => {
      const range = {
        timezone: 'Asia/Kolkata',
        fromMs: MONDAY - 5.5 * HOUR_MS,
        toMs: MONDAY + 18.5 * HOUR_MS - 1,
      }
      expect((await figures(workspace, { ...range, scope: [link] })).series).toEqual([
        { atMs: MONDAY - 5.5 * HOUR_MS, clicks: 4, uniques: 3, bots: 1 },
      ])
    })

    test('by several dimensions and with the previous period are those of separate queries', async () => {
      // Both begin at 02:00 UTC, and a visitor has clicks before and after it.
      const timezone = 'America/Noronha'
      const fromMs = MONDAY + 2 * HOUR_MS
      for (const interval of ['hour', 'day'] as const) {
        const now = { timezone, interval, fromMs, toMs: fromMs + 2 * DAY_MS - 1 }
        const earlier = { timezone, interval, fromMs: fromMs - DAY_MS, toMs: fromMs - 1 }
        const all = await figures(workspace, { ...now, previousFromMs: earlier.fromMs, by: dimensions })
        const { series, totals: sum } = await figures(workspace, earlier)
        expect(all.previous).toEqual({ series, totals: sum })
        const alone = await Promise.all(dimensions.map((by) => figures(workspace, { ...now, by: [by] })))
        for (const [at, by] of dimensions.entries())
          expect({ ...alone[at], previous: all.previous, breakdowns: all.breakdowns.get(by) }).toEqual({
            ...all,
            breakdowns: alone[at]?.breakdowns.get(by),
          })
      }
    })

    test('read every click once, whatever the number of dimensions and with the previous period', async () => {
      const rows = async (fields: Partial<FiguresQuery>) => {
        const before = under.rowsRead()
        await figures(workspace, fields)
        return under.rowsRead() - before
      }
      const eight = dimensions.slice(0, 8)
      const one = await rows({ by: ['country'] })
      expect(one).toBeGreaterThan(0)
      expect(await rows({ by: eight })).toBe(one)
      const later = { fromMs: MONDAY + 2 * DAY_MS, previousFromMs: MONDAY }
      expect(await rows({ ...later, by: eight })).toBeLessThanOrEqual(one)
    })

    test('do not include other workspaces', async () => {
      const stranger = await under.workspace(0)
      const found = await figures(stranger.uuid, { by: ['country'] })
      expect([found.totals, found.breakdowns.get('country')]).toEqual([NOTHING, []])
      expect(await totals(stranger.uuid, { scope: [link] })).toEqual(NOTHING)
    })

    test('with filters begin where single clicks are stored', async () => {
      const filters = new Map([['country', new Set(['DE', 'FR'])]]) as FiguresQuery['filters']
      expect((await totals(workspace, { filters, retainedFromMs: MONDAY + 2 * DAY_MS })).clicks).toBe(1)
      expect((await totals(workspace, { retainedFromMs: MONDAY + 2 * DAY_MS })).clicks).toBe(5)
    })
  })

  test('pages: views, and clicks on buttons by name; none of them in the figures of all links', async () => {
    const { uuid, page } = await under.workspace(0)
    const on = (kind: StoredClick['kind'], fields: Partial<StoredClick> = {}) =>
      storedClick(page, MONDAY, { kind, ...fields })
    await under.count([
      on('page'),
      on('button', { detail: '2' }),
      on('icon', { detail: 'x' }),
      on('icon', { detail: 'x', bot: true }),
    ])
    const found = await figures(uuid, { scope: [page], by: ['button'] })
    expect([found.totals, found.breakdowns.get('button')]).toEqual([
      { clicks: 1, uniques: 1, bots: 0 },
      [{ value: '2', clicks: 1 }],
    ])
    expect(await breakdown(uuid, { scope: [page], by: ['icon'] })).toEqual([{ value: 'x', clicks: 1 }])
    expect(await totals(uuid)).toEqual(NOTHING)
  })

  test('list 100 values and count the rest together', async () => {
    const { uuid, links } = await under.workspace(1)
    const referrers = Array.from({ length: 300 }, (_, n) => `${String(n).padStart(5, '0')}.example`)
    const sent = [...referrers.toReversed(), ...referrers.filter((_, n) => n % 50 === 7)]
    await under.count(sent.map((referrer, n) => storedClick(links[0]!, MONDAY + n, { visitor: n, referrer })))
    const listed = await breakdown(uuid, { by: ['referrer'] })
    expect(listed).toHaveLength(101)
    expect(listed[0]).toEqual({ value: '00007.example', clicks: 2 })
    expect(listed.at(-1)).toEqual({ value: '(other)', clicks: 306 - 2 * 6 - 94 })
  })

  test('values with any characters are returned unchanged', async () => {
    const { uuid, links } = await under.workspace(1)
    const values = [
      `'; drop table clicks; --`,
      String.raw`\N \\ \' \0`,
      '"\t\r\n',
      'a\0b',
      '\u{1f600}é',
      'x'.repeat(2_048),
    ]
    await under.count(values.map((utm_campaign, n) => storedClick(links[0]!, MONDAY + n, { utm_campaign })))
    const listed = await breakdown(uuid, { by: ['utm_campaign'] })
    expect(listed.map(({ value }) => value).toSorted()).toEqual(values.toSorted())
    for (const value of values) {
      const filters = new Map([['utm_campaign', new Set([value])]]) as FiguresQuery['filters']
      expect((await totals(uuid, { filters })).clicks).toBe(1)
    }
  })

  test('exports single clicks of a scope and period, oldest first and without the visitor', async () => {
    const { uuid, links } = await under.workspace(2)
    const [link = '', other = ''] = links
    await under.count([storedClick(link, MONDAY + 5), storedClick(other, MONDAY + DAY_MS)])
    await under.count([
      storedClick(link, MONDAY + 3, { country: 'FR', bot: true }),
      storedClick(link, MONDAY + 7),
    ])
    const times = async (fields?: Partial<ClicksQuery>) =>
      (await clicksOf(uuid, fields)).map(({ atMs }) => atMs - MONDAY)
    for (let round = 0; round < 2; round++) {
      expect(await times()).toEqual([3, 5, 7, DAY_MS])
      expect(await times({ scope: [link], fromMs: MONDAY + 5 })).toEqual([5, 7])
      expect(await times({ toMs: MONDAY + 7 })).toEqual([3, 5])
      expect(await times({ retainedFromMs: MONDAY + DAY_MS })).toEqual([DAY_MS])
      await under.settle()
    }
    const [first] = await clicksOf(uuid)
    const { visitor: _visitor, ...expected } = storedClick(link, MONDAY + 3, { country: 'FR', bot: true })
    expect(first).toEqual(expected)
  })

  test('dropped months leave sums by link', async () => {
    const { uuid, links } = await under.workspace(2)
    const [link = '', other = ''] = links
    const OCTOBER = Date.UTC(2026, 9, 20)
    const range = { fromMs: Date.UTC(2026, 9), toMs: MONDAY + DAY_MS - 1 }
    await under.count([
      storedClick(link, OCTOBER, { referrer: 'a.example' }),
      storedClick(link, OCTOBER + HOUR_MS, { visitor: 2, country: 'FR' }),
      storedClick(link, OCTOBER + HOUR_MS, { bot: true }),
      storedClick(other, OCTOBER + 2 * HOUR_MS, { scanned: true }),
      storedClick(link, MONDAY),
    ])
    await under.settle()
    const byCountry = await figures(uuid, { ...range, by: ['country'] })
    expect(byCountry).toMatchObject({ totals: { clicks: 4, uniques: 3, bots: 1 }, uniquesExact: true })
    const questions: Partial<FiguresQuery>[] = [
      { scope: [link], by: ['country'] },
      { scope: [link], by: ['referrer'] },
      { scope: [other], by: ['source'] },
      { scope: [link], interval: 'hour', fromMs: OCTOBER, toMs: OCTOBER + DAY_MS - 1 },
      { scope: [link], timezone: 'America/New_York', by: ['hour_of_week'] },
      { scope: [link], fromMs: OCTOBER + DAY_MS, previousFromMs: OCTOBER - DAY_MS, by: ['link', 'country'] },
    ]
    const all = () => Promise.all(questions.map((fields) => figures(uuid, { ...range, ...fields })))
    const before = await all()
    await under.statistics.dropBefore(Date.UTC(2026, 10))
    await under.statistics.dropBefore(Date.UTC(2026, 10))
    expect((await all()).map((found) => ({ ...found, uniquesExact: true }))).toEqual(before)
    expect((await clicksOf(uuid)).map(({ atMs }) => atMs)).toEqual([MONDAY])
    // The visitor of both links counts for each.
    const after = await figures(uuid, { ...range, by: ['country'] })
    expect(after).toEqual({
      ...byCountry,
      totals: { ...byCountry.totals, uniques: 4 },
      series: byCountry.series.map((point) => (point.atMs === OCTOBER ? { ...point, uniques: 3 } : point)),
      uniquesExact: false,
    })
    // The next day in Tokyo begins at 15:00 UTC of the same day.
    const ofTokyo = async (dayMs: number, by: Dimension) => {
      const fromMs = dayMs - 9 * HOUR_MS
      const day = { timezone: 'Asia/Tokyo', fromMs, toMs: fromMs + DAY_MS - 1, by: [by] }
      return (await breakdown(uuid, day)).map(({ clicks }) => clicks)
    }
    expect(await ofTokyo(OCTOBER, 'country')).toEqual([2, 1])
    expect(await ofTokyo(OCTOBER, 'link')).toEqual([2, 1])
    expect(await ofTokyo(OCTOBER + DAY_MS, 'country')).toEqual([])
    expect(await ofTokyo(OCTOBER + DAY_MS, 'link')).toEqual([])
    const filters = new Map([['country', new Set(['FR'])]]) as FiguresQuery['filters']
    expect((await totals(uuid, { ...range, filters })).clicks).toBe(0)
    // A late click of a month that was dropped is counted, and dropped the next time.
    await under.count([storedClick(link, OCTOBER + 3 * HOUR_MS, { visitor: 9 })])
    const late = { clicks: 5, uniques: 5, bots: 1 }
    expect(await totals(uuid, range)).toEqual(late)
    await under.settle()
    await under.statistics.dropBefore(Date.UTC(2026, 10))
    expect(await totals(uuid, range)).toEqual(late)
    expect(await clicksOf(uuid)).toHaveLength(1)
  })

  test('forgetting a workspace deletes all of its data and nothing else', async () => {
    const [mine, theirs] = [await under.workspace(1), await under.workspace(1)]
    for (const { links } of [mine, theirs])
      await under.count([storedClick(links[0]!, Date.UTC(2026, 8, 3)), storedClick(links[0]!, MONDAY)])
    await under.settle()
    await under.statistics.dropBefore(Date.UTC(2026, 9))
    const forgetAll = async () => {
      while (await under.write(() => under.statistics.forget(mine.uuid)));
    }
    await forgetAll()
    // A second pass, as in the removal of an account, finds nothing and ends.
    await forgetAll()
    const range = { fromMs: Date.UTC(2026, 8), toMs: MONDAY + DAY_MS }
    expect([await totals(mine.uuid, range), await clicksOf(mine.uuid)]).toEqual([NOTHING, []])
    expect((await totals(theirs.uuid, range)).clicks).toBe(2)
    expect(await clicksOf(theirs.uuid)).toHaveLength(1)
  })

  test('forgetting an unknown workspace does nothing', async () => {
    expect(await under.write(() => under.statistics.forget(randomUUID()))).toBe(false)
  })
}
