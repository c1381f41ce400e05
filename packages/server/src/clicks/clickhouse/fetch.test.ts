import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { askServices, forEachDatabase } from '../../storage/db/testing.ts'
import { DAY_MS, dayOf, HOUR_MS } from '../../work/times.ts'
import { packBatch } from '../batches/packed-batch.ts'
import type { StoredClick } from '../batches/stored-click.ts'
import { databaseStatistics } from '../statistics/database.ts'
import type { ExportedClick } from '../statistics/statistics.ts'
import { storedClick } from '../testing.ts'
import { type ClickHouse, openClickHouse } from './client.ts'
import { fetchClicks } from './fetch.ts'
import { ClickHouseLease } from './lease.ts'
import { markErased } from './retention.ts'
import { ClickSender } from './sender.ts'

const MONTHS = [Date.UTC(2026, 8, 30, 22), Date.UTC(2026, 9, 31, 22)]
const newId = createIds()

describe.runIf(inject('hasClickHouse'))('fetching clicks back from ClickHouse', () => {
  forEachDatabase((_engine, _open, databases) => {
    let db: Database
    let clickhouse: ClickHouse
    const workspaces = Array.from({ length: 3 }, () => crypto.randomUUID())
    const [first = '', second = '', erased = ''] = workspaces

    beforeAll(async () => {
      db = await openDatabase(await databases.place())
      clickhouse = openClickHouse((await askServices('clickhouse/create'))['url'] ?? '')
    })
    afterAll(() => db.close())

    const add = async (workspaceUuid: string, clicks: readonly StoredClick[]): Promise<void> => {
      for (const [day, ofDay] of Map.groupBy(clicks, ({ atMs }) => dayOf(atMs))) {
        const row = { workspace_uuid: workspaceUuid, day, id: newId(), open_day: day, first_at: day }
        const data = packBatch(ofDay, day)
        await db.write(() =>
          db.sql
            .insertInto('click_batches')
            .values({ ...row, clicks: ofDay.length, data })
            .execute(),
        )
      }
    }
    const stored = async (workspaceUuid: string): Promise<ExportedClick[]> => {
      const all = { workspaceUuid, scope: undefined, retainedFromMs: 0, fromMs: 0, toMs: Date.UTC(2030, 0) }
      const found: ExportedClick[] = []
      for await (const click of databaseStatistics(db, undefined).clicks(all)) found.push(click)
      return found
    }
    const inClickHouse = async (): Promise<number | undefined> =>
      (await clickhouse.rows<{ clicks: number }>('select count() as clicks from clicks'))[0]?.clicks

    test('continues after an interruption, stores every click once, and cleans up', async () => {
      const hostile = `'; \\N "\t\0é`
      for (const workspace of workspaces)
        await add(
          workspace,
          MONTHS.flatMap((at) =>
            Array.from({ length: 8 }, (_, n) =>
              storedClick(crypto.randomUUID(), at + n * HOUR_MS, { visitor: n, utm_source: hostile }),
            ),
          ),
        )
      const before = [await stored(first), await stored(second)]
      expect(before[0]).toHaveLength(16)
      const lease = new ClickHouseLease(db)
      const log = { info: () => undefined, warn: () => undefined }
      const sender = new ClickSender({ db, clickhouse, lease, log, sweep: () => Promise.resolve() })
      const send = () => lease.exclusively(() => sender.sendSome())
      while ((await send()) === true);
      expect([await stored(first), await inClickHouse()]).toEqual([[], 48])
      expect(await db.sql.selectFrom('sent_periods').selectAll().execute()).toHaveLength(3)
      await db.write(() => markErased(db, erased))

      let pieces = 0
      const interrupted = fetchClicks({
        db,
        clickhouse,
        lease,
        onProgress: () => {
          if (++pieces === 3) throw new Error('interrupted')
        },
      })
      await expect(interrupted).rejects.toThrow('interrupted')
      // A server that starts now must not send the fetched clicks.
      await expect(send()).rejects.toThrow('waymark clicks fetch has begun')
      // A server that starts without CLICKS_URL counts new clicks meanwhile.
      await add(first, [storedClick(crypto.randomUUID(), MONTHS[1]! + 30 * DAY_MS)])
      await fetchClicks({ db, clickhouse, lease })
      expect((await stored(first)).slice(0, -1)).toEqual(before[0])
      expect(await stored(second)).toEqual(before[1])
      expect([await stored(erased), await inClickHouse()]).toEqual([[], 0])
      expect(await db.sql.selectFrom('fetched_clicks').selectAll().execute()).toEqual([])
      expect(await db.sql.selectFrom('sent_periods').selectAll().execute()).toEqual([])
      // Nothing is left to fetch, and ClickHouse can be used again.
      expect(await fetchClicks({ db, clickhouse, lease })).toBe(33)
      while ((await send()) === true);
      expect(await inClickHouse()).toBe(33)
      await lease.close()
    })
  })
})
