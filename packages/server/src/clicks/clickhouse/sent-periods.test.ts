import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { askServices, forEachDatabase } from '../../storage/db/testing.ts'
import { DAY_MS } from '../../work/times.ts'
import { packBatch } from '../batches/packed-batch.ts'
import { openStatistics, type OpenStatistics } from '../statistics/open.ts'
import type { FiguresQuery } from '../statistics/statistics.ts'
import { sweepClicks } from '../statistics/retention.ts'
import { storedClick } from '../testing.ts'
import { openClickHouse } from './client.ts'
import { ClickHouseLease } from './lease.ts'
import { isErased, markErased } from './retention.ts'
import { ClickSender } from './sender.ts'
import { giveUpSent, rememberSent, rememberStored, sentDates, sentPeriod } from './sent-periods.ts'

const FIRST = Date.UTC(2026, 9, 20)
const LAST = Date.UTC(2026, 10, 12)
const WORKSPACE = '0198c0de-0000-7000-8000-000000000001'
const OTHER = '0198c0de-0000-7000-8000-000000000002'
const SENTENCE =
  'The clicks from 2026-10-20 to 2026-11-12 (UTC) are in ClickHouse and CLICKS_URL is not set: set it again, or run waymark clicks fetch or waymark clicks forget'

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let statistics: OpenStatistics

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    statistics = openStatistics(db, place.dataDir)
  })
  afterAll(async () => {
    await statistics.close()
    await db.close()
  })
  beforeEach(async () => {
    await db.write(async () => {
      await db.sql.deleteFrom('sent_periods').execute()
      await db.sql.deleteFrom('erased_clicks').execute()
      await db.sql.deleteFrom('click_batches').execute()
    })
  })

  const remember = (workspaceUuid: string, ...days: number[]) =>
    db.write(() =>
      rememberSent(
        db,
        days.map((day) => ({ workspaceUuid, day })),
      ),
    )
  const figures = (fromMs: number, toMs: number, fields: Partial<FiguresQuery> = {}) =>
    statistics.figures({
      workspaceUuid: WORKSPACE,
      scope: undefined,
      retainedFromMs: 0,
      fromMs,
      toMs,
      interval: 'day',
      timezone: 'UTC',
      previousFromMs: undefined,
      by: [],
      filters: new Map(),
      bot: undefined,
      ...fields,
    })
  const exported = async (fromMs: number, toMs: number, retainedFromMs = 0) => {
    const query = { workspaceUuid: WORKSPACE, scope: undefined, retainedFromMs, fromMs, toMs }
    for await (const _click of statistics.clicks(query)) expect.unreachable()
  }
  const dates = async () => {
    const period = await sentPeriod(db)
    return period && sentDates(period)
  }
  const outcome = (work: Promise<unknown>) =>
    work.then(
      () => 'fine',
      (error: Error) => error.message,
    )

  test('only periods that touch it are rejected, of workspaces that have clicks there', async () => {
    await remember(WORKSPACE, FIRST + 3 * DAY_MS, LAST, FIRST)
    await remember(WORKSPACE, FIRST + DAY_MS)
    const before = FIRST - 1
    const after = LAST + DAY_MS
    const inside = FIRST + 2 * DAY_MS
    expect(await outcome(figures(before, before))).toBe('fine')
    expect(await outcome(figures(after, after + DAY_MS))).toBe('fine')
    for (const [from, to] of [
      [before, after],
      [inside, inside],
      [FIRST, FIRST],
      [after - 1, after],
    ] as const)
      expect(await outcome(figures(from, to))).toBe(SENTENCE)
    // In Kiritimati the day after has begun.
    expect(await outcome(figures(after, after, { timezone: 'Pacific/Kiritimati' }))).toBe(SENTENCE)
    expect(await outcome(figures(inside, inside, { workspaceUuid: OTHER }))).toBe('fine')
    expect(await outcome(exported(0, FIRST))).toBe('fine')
    expect(await outcome(exported(0, FIRST + 1))).toBe(SENTENCE)
    expect(await outcome(exported(after, Number.MAX_SAFE_INTEGER))).toBe('fine')
    expect(await outcome(exported(after - 1, Number.MAX_SAFE_INTEGER))).toBe(SENTENCE)
    // Single clicks older than the retention are not used.
    expect(await outcome(exported(0, Number.MAX_SAFE_INTEGER, after))).toBe('fine')
    const filters = new Map([['country', new Set(['DE'])]] as const)
    expect(await outcome(figures(inside, after, { retainedFromMs: after, filters }))).toBe('fine')
    expect(await outcome(figures(inside, after, { retainedFromMs: after }))).toBe(SENTENCE)
    expect(await outcome(statistics.reach(WORKSPACE, { fromMs: inside, toMs: after }))).toBe(SENTENCE)
    await expect(figures(inside, inside)).rejects.toMatchObject({
      status: 503,
      headers: { 'retry-after': '5' },
    })
  })

  test('the retention forgets it month by month', async () => {
    await remember(WORKSPACE, FIRST, LAST)
    await remember(OTHER, FIRST)
    const sweep = (nowMs: number) => sweepClicks(db, statistics, { nowMs, retentionDays: 10 })
    await sweep(Date.UTC(2026, 10, 10))
    expect(await dates()).toEqual({ from: '2026-10-20', to: '2026-11-12' })
    await sweep(Date.UTC(2026, 10, 12))
    expect(await dates()).toEqual({ from: '2026-11-01', to: '2026-11-12' })
    expect(await db.sql.selectFrom('sent_periods').select('workspace_uuid').execute()).toHaveLength(1)
    await sweep(Date.UTC(2026, 11, 12))
    expect(await dates()).toBeUndefined()
  })

  test('what was given up counts no more, but clicks that are sent later do', async () => {
    await remember(WORKSPACE, FIRST, LAST)
    expect(await db.write(() => giveUpSent(db))).toEqual([WORKSPACE])
    expect(await db.write(() => giveUpSent(db))).toEqual([])
    expect(await outcome(figures(FIRST, LAST))).toBe('fine')
    await remember(WORKSPACE, LAST)
    expect(await dates()).toEqual({ from: '2026-11-12', to: '2026-11-12' })
    expect(await outcome(figures(FIRST, FIRST))).toBe('fine')
    expect(await outcome(figures(LAST, LAST))).toMatch(/^The clicks from 2026-11-12 to 2026-11-12/)
  })

  test('a workspace that is erased meanwhile is hidden if ClickHouse is used again', async () => {
    await remember(WORKSPACE, FIRST)
    await db.write(() => giveUpSent(db))
    for (const workspaceUuid of [WORKSPACE, OTHER]) await db.write(() => statistics.forget(workspaceUuid))
    expect([await isErased(db, WORKSPACE), await isErased(db, OTHER)]).toEqual([true, false])
    await remember(OTHER, FIRST)
    await db.write(() => markErased(db, OTHER))
    expect(await dates()).toBeUndefined()
  })

  describe.runIf(inject('hasClickHouse'))('with ClickHouse', () => {
    test('sending remembers the days, and what ClickHouse has is found again', async () => {
      const clickhouse = openClickHouse((await askServices('clickhouse/create'))['url'] ?? '')
      const lease = new ClickHouseLease(db)
      const newId = createIds()
      await db.write(async () => {
        for (const day of [FIRST, LAST])
          await db.sql
            .insertInto('click_batches')
            .values({
              workspace_uuid: WORKSPACE,
              day,
              id: newId(),
              open_day: day,
              first_at: day,
              clicks: 1,
              data: packBatch([storedClick(crypto.randomUUID(), day)], day),
            })
            .execute()
      })
      const log = { info: () => undefined, warn: () => undefined }
      const sender = new ClickSender({ db, clickhouse, lease, log, sweep: () => Promise.resolve() })
      await lease.exclusively(() => sender.sendSome())
      expect(await dates()).toEqual({ from: '2026-10-20', to: '2026-10-20' })
      await lease.exclusively(() => sender.sendSome())
      expect(await outcome(figures(FIRST, LAST))).toBe(SENTENCE)
      await db.write(() => giveUpSent(db))
      await rememberStored(db, clickhouse)
      expect(await outcome(figures(FIRST, LAST))).toBe(SENTENCE)
      // A backup of the database from before the clicks were sent.
      await db.write(() => db.sql.deleteFrom('sent_periods').execute())
      await rememberStored(db, clickhouse)
      expect(await dates()).toEqual({ from: '2026-10-20', to: '2026-11-12' })
      await lease.close()
    })
  })
})
