import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { DAY_MS, dayOf } from '../../work/times.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import type { ClickStore } from '../counting/click-store.ts'
import { insertTestLink, openTestStore, storedClick, storedClicksOf } from '../testing.ts'
import { databaseStatistics } from './database.ts'
import { openStatistics } from './open.ts'
import { forgetVisitors, sweepClicks } from './retention.ts'
import type { Statistics } from './statistics.ts'

const NOW = Date.UTC(2026, 10, 15, 12)

forEachDatabase((_engine, _open, databases) => {
  let db: Database
  let store: ClickStore
  let statistics: ReturnType<typeof openStatistics>

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
    statistics = openStatistics(db, place.dataDir)
  })
  afterAll(async () => {
    await statistics.close()
    await store.close()
    await db.close()
  })

  const count = async (clicks: StoredClick[]): Promise<void> => {
    const file = randomUUID()
    await store.position(file)
    await store.write({ file, from: 0, to: 1, clicks })
  }
  const totalsOf = async (workspaceUuid: string, from: Statistics = statistics) => {
    const { totals } = await from.figures({
      workspaceUuid,
      scope: undefined,
      retainedFromMs: 0,
      fromMs: NOW - 500 * DAY_MS,
      toMs: NOW,
      interval: 'day',
      timezone: 'UTC',
      previousFromMs: undefined,
      by: [],
      filters: new Map(),
      bot: undefined,
    })
    return totals
  }

  test('replaces months older than the retention by sums, and keeps the current month', async () => {
    const link = await insertTestLink(db)
    // The retention of 200 days ends on 29 April.
    const days = [400, 370, 205, 1].map((ago) => NOW - ago * DAY_MS)
    for (const atMs of days)
      await count(Array.from({ length: 3 }, (_, visitor) => storedClick(link.uuid, atMs, { visitor })))
    const sweep = (signal?: AbortSignal) =>
      sweepClicks(db, statistics, { nowMs: NOW, retentionDays: 200, ...(signal && { signal }) })
    const left = async () =>
      new Set((await storedClicksOf(db, link.workspace_uuid, link.uuid)).map(({ atMs }) => atMs))
    await sweep(AbortSignal.abort())
    expect(await left()).toEqual(new Set(days))
    await sweep()
    expect(await left()).toEqual(new Set(days.slice(2)))
    expect(await totalsOf(link.workspace_uuid)).toEqual({ clicks: 12, uniques: 12, bots: 0 })
  })

  test('two concurrent sweeps with a merge and an erasure in between neither lose nor repeat clicks', async () => {
    const [link, erased] = [await insertTestLink(db), await insertTestLink(db)]
    const day = dayOf(NOW - 300 * DAY_MS)
    for (let batch = 0; batch < 10; batch++)
      for (const { uuid } of [link, erased])
        await count(
          Array.from({ length: 5 }, (_, n) => storedClick(uuid, day + batch, { visitor: batch * 5 + n })),
        )
    const forget = async () => {
      while (await db.write(() => statistics.forget(erased.workspace_uuid)));
    }
    await Promise.all([
      statistics.dropBefore(NOW),
      databaseStatistics(db, undefined).dropBefore(NOW),
      store.merge({ workspaceUuid: link.workspace_uuid, day }, true),
      forget(),
    ])
    await forget()
    expect(await totalsOf(link.workspace_uuid)).toEqual({ clicks: 50, uniques: 50, bots: 0 })
    expect(await totalsOf(erased.workspace_uuid)).toEqual({ clicks: 0, uniques: 0, bots: 0 })
    expect(await storedClicksOf(db, link.workspace_uuid, link.uuid)).toEqual([])
  })

  test('a sweep interrupted in its transaction is repeated once', async () => {
    const link = await insertTestLink(db)
    await count([storedClick(link.uuid, NOW - 300 * DAY_MS)])
    const write = (work: () => Promise<unknown>) =>
      db.write(async () => {
        await work()
        throw new Error('killed')
      })
    const failing = new Proxy(db, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name, target)
        if (name === 'write') return write
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    await expect(databaseStatistics(failing, undefined).dropBefore(NOW)).rejects.toThrow('killed')
    expect(await storedClicksOf(db, link.workspace_uuid, link.uuid)).toHaveLength(1)
    expect((await totalsOf(link.workspace_uuid)).clicks).toBe(1)
    await statistics.dropBefore(NOW)
    expect(await storedClicksOf(db, link.workspace_uuid, link.uuid)).toEqual([])
    expect((await totalsOf(link.workspace_uuid)).clicks).toBe(1)
  })

  test('an unreadable batch is dropped with its month', async () => {
    const link = await insertTestLink(db)
    for (let batch = 0; batch < 2; batch++) await count([storedClick(link.uuid, NOW - 300 * DAY_MS)])
    const [broken] = await db.sql
      .selectFrom('click_batches')
      .select('id')
      .where('workspace_uuid', '=', link.workspace_uuid)
      .execute()
    await db.write(() =>
      db.sql
        .updateTable('click_batches')
        .set({ data: Buffer.from('nonsense') })
        .where('id', '=', broken?.id ?? '')
        .execute(),
    )
    await statistics.dropBefore(NOW)
    expect((await totalsOf(link.workspace_uuid)).clicks).toBe(1)
  })

  test('salts are deleted after two days', async () => {
    const days = [400, 2, 1, 0].map((ago) => dayOf(NOW - ago * DAY_MS))
    for (const day of days) await store.salt(day)
    await forgetVisitors(db, NOW)
    const salts = await db.sql.selectFrom('visitor_salts').select('day').orderBy('day').execute()
    expect(salts.map(({ day }) => day)).toEqual(days.slice(2))
  })
})
