import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { createIds } from '../../storage/db/ids.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { askServices, forEachDatabase, type Place } from '../../storage/db/testing.ts'
import { DAY_MS } from '../../work/times.ts'
import { packBatch } from '../batches/packed-batch.ts'
import { clickHouseStatistics } from '../statistics/clickhouse.ts'
import { storedClick } from '../testing.ts'
import { type ClickHouse, openClickHouse } from './client.ts'
import { type Fault, startFaultyProxy } from './faults.testing.ts'
import { ClickHouseLease } from './lease.ts'
import { deleteErased } from './retention.ts'
import { ClickSender } from './sender.ts'

const DAY = Date.UTC(2026, 9, 31)
const newId = createIds()
/** Lifetime of the lease in tests that wait for it to expire. */
const LIFE_MS = 1_000

describe.runIf(inject('hasClickHouse'))('sending clicks to ClickHouse', () => {
  forEachDatabase((_engine, _open, databases) => {
    let db: Database
    let place: Place
    let direct: ClickHouse
    let proxy: Awaited<ReturnType<typeof startFaultyProxy>>
    let service: Record<string, string>
    let workspace: string
    const logged: string[] = []
    let held: ClickHouseLease | undefined

    beforeAll(async () => {
      place = await databases.place()
      db = await openDatabase(place)
      // The tests stop and kill this server.
      service = await askServices('own/clickhouse')
      direct = openClickHouse(service['url'] ?? '')
      proxy = await startFaultyProxy(service['url'] ?? '')
    })
    afterAll(async () => {
      await held?.close()
      proxy.close()
      await askServices(`own/${service['id']}/stop`)
      await db.close()
    })
    beforeEach(async () => {
      workspace = randomUUID()
      logged.length = 0
      await db.write(() => db.sql.deleteFrom('click_batches').execute())
    })

    /** Like a new process: it does not know what others have sent. */
    const newSender = async (maxRows?: number, insertMs?: number, lifeMs?: number) => {
      await held?.close()
      const lease = (held = new ClickHouseLease(db, undefined, lifeMs))
      const log = {
        info: (text: unknown) => void logged.push(String(text)),
        warn: (_fields: unknown, text?: string) => void logged.push(text ?? ''),
      }
      const clickhouse = openClickHouse(proxy.url, insertMs)
      const sender = new ClickSender({
        db,
        clickhouse,
        lease,
        log,
        sweep: () => Promise.resolve(),
        ...(maxRows !== undefined && { maxRows }),
      })
      const send = (): Promise<unknown> =>
        lease.exclusively(async () => {
          while (await sender.sendSome());
        })
      /** Sends until no batch waits, as the running sender does. */
      const sendAll = async (): Promise<void> => {
        while ((await waiting()) > 0)
          await send().then(
            () => delay(10),
            () => delay(100),
          )
      }
      return { sender, lease, clickhouse, send, sendAll }
    }

    const addBatch = async (clicks: number, day = DAY, id = newId()): Promise<string> => {
      const link = randomUUID()
      const rows = Array.from({ length: clicks }, (_, n) => storedClick(link, day + n, { visitor: n }))
      const data = packBatch(rows, day)
      await db.write(() =>
        db.sql
          .insertInto('click_batches')
          .values({ workspace_uuid: workspace, day, id, open_day: day, first_at: day, clicks, data })
          .execute(),
      )
      return id
    }

    const waiting = async (): Promise<number> =>
      (await db.sql.selectFrom('click_batches').select('id').execute()).length

    /** The number of clicks in ClickHouse, and of distinct ones. */
    const stored = async (): Promise<[number, number]> => {
      const [row] = await direct.rows<{ all: number; different: number }>(
        `select count() as all, uniqExact(batch_uuid, at, ms) as different from clicks
          where workspace_uuid = toUUID('${workspace}')`,
      )
      return [row?.all ?? 0, row?.different ?? 0]
    }

    test('every click becomes one row, and the batches are deleted', async () => {
      await Promise.all([addBatch(10), addBatch(20), addBatch(5, DAY - DAY_MS)])
      const { sender, send } = await newSender()
      await send()
      expect([await stored(), await waiting(), sender.sent]).toEqual([[35, 35], 0, 35])
    })

    test('an insert holds one month and a bounded number of rows', async () => {
      await Promise.all([addBatch(30), addBatch(30), addBatch(30), addBatch(5, DAY + DAY_MS)])
      const before = proxy.inserts
      await (await newSender(60)).send()
      expect([await stored(), proxy.inserts - before]).toEqual([[95, 95], 3])
      const parts = await direct.rows<{ month: number; clicks: number }>(
        `select toYYYYMM(at) as month, count() as clicks from clicks
          where workspace_uuid = toUUID('${workspace}') group by month order by month`,
      )
      expect(parts).toEqual([
        { month: 202_610, clicks: 90 },
        { month: 202_611, clicks: 5 },
      ])
    })

    const faults: readonly (readonly [string, Fault])[] = [
      ['status 500', { kind: 'rejected', status: 500, text: 'oops' }],
      [
        'a full disk',
        {
          kind: 'rejected',
          status: 500,
          text: 'Code: 243, e.displayText() = DB::Exception: Cannot reserve 1.00 MiB, not enough space.',
        },
      ],
      ['a wrong password', { kind: 'password' }],
      ['a body that is cut in the middle', { kind: 'cut' }],
      ['an acknowledgement that is lost', { kind: 'unanswered' }],
    ]
    test.each(faults)('%s: no click is duplicated or missing', async (_name, fault) => {
      await (await newSender()).send()
      await Promise.all([addBatch(300), addBatch(200)])
      const { send, sendAll } = await newSender()
      proxy.next(fault)
      await expect(send()).rejects.toThrow('ClickHouse')
      expect(await waiting()).toBe(2)
      await sendAll()
      expect(await stored()).toEqual([500, 500])
    })

    test('a process that ends after an insert causes no duplicates', async () => {
      await addBatch(300)
      proxy.next({ kind: 'unanswered' })
      const first = await newSender()
      await expect(first.send()).rejects.toThrow('ClickHouse')
      await (await newSender()).sendAll()
      expect([await stored(), await waiting()]).toEqual([[300, 300], 0])
    })

    test('a process that regains the lease checks what another has sent meanwhile', async () => {
      const { clickhouse, sender, lease } = await newSender()
      const sendSome = () => lease.exclusively(() => sender.sendSome())
      await addBatch(10)
      while ((await sendSome()) === true);
      await addBatch(300)
      await db.write(() => db.sql.updateTable('leases').set({ holder: '' }).execute())
      const otherLease = new ClickHouseLease(db)
      const log = { info: () => undefined, warn: () => undefined }
      const other = { db, clickhouse, lease: otherLease, log, sweep: () => Promise.resolve() }
      proxy.next({ kind: 'unanswered' })
      const sent = otherLease.exclusively(() => new ClickSender(other).sendSome())
      await expect(sent).rejects.toThrow('ClickHouse')
      await otherLease.close()
      while ((await sendSome()) === true);
      expect([await stored(), await waiting()]).toEqual([[310, 310], 0])
    })

    test('waits for an insert that outlives its client', async () => {
      const { send, sendAll } = await newSender(undefined, 1_000)
      // The first insert does all checks that precede an insert.
      await addBatch(1)
      await sendAll()
      await addBatch(20_000)
      await askServices(`own/${service['id']}/freeze`)
      const sent = send()
      await expect(sent).rejects.toThrow('ClickHouse does not respond')
      await askServices(`own/${service['id']}/thaw`)
      await sendAll()
      expect(await stored()).toEqual([20_001, 20_001])
    })

    test('recovers when ClickHouse is killed during an insert and started again', async () => {
      const { send, sendAll } = await newSender(20_000)
      await send()
      for (let n = 0; n < 10; n++) await addBatch(10_000)
      const sent = send().catch(() => undefined)
      await askServices(`own/${service['id']}/halt`)
      await sent
      await expect(send()).rejects.toThrow('ClickHouse cannot be reached')
      await askServices(`own/${service['id']}/resume`)
      await sendAll()
      expect(await stored()).toEqual([100_000, 100_000])
    })

    test.each([
      ['beginning', 'SIGCONT'],
      ['middle', 'SIGCONT'],
      ['end', 'SIGCONT'],
      ['end', 'SIGKILL'],
    ] as const)(
      'the insert of a process that is suspended at its %s, until another has taken over, is awaited until %s',
      async (where, signal) => {
        await (await newSender()).send()
        await Promise.all([addBatch(3_000), addBatch(2_000)])
        await held?.close()
        const file = fileURLToPath(new URL('./sender-child.testing.ts', import.meta.url))
        const args = [file, JSON.stringify(place), service['url'] ?? '', where, String(LIFE_MS)]
        const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
        await once(child.stdout, 'data')
        child.kill('SIGSTOP')
        const { lease, sendAll } = await newSender(undefined, undefined, LIFE_MS)
        const sent = sendAll()
        await expect.poll(() => lease.isHeld).toBe(true)
        await delay(LIFE_MS)
        expect([await stored(), await waiting()]).toEqual([[0, 0], 2])
        const ended = once(child, 'exit')
        child.kill(signal)
        await ended
        await sent
        expect(await stored()).toEqual([5_000, 5_000])
      },
    )

    test('batches whose deletion fails after the insert are not sent again', async () => {
      await (await newSender()).send()
      await addBatch(100)
      const { lease, clickhouse } = await newSender()
      let failures = 1
      const failing: Pick<Database, 'write'> = {
        write: (work, ...rest) =>
          failures-- > 0 ? Promise.reject(new Error('the database is down')) : db.write(work, ...rest),
      }
      const sender = new ClickSender({
        db: new Proxy(db, {
          get: (target, name) => {
            const value: unknown = Reflect.get(name in failing ? failing : target, name)
            return typeof value === 'function' ? (value.bind(target) as unknown) : value
          },
        }),
        clickhouse,
        lease,
        log: { info: () => undefined, warn: () => undefined },
        sweep: () => Promise.resolve(),
      })
      const send = () => lease.exclusively(() => sender.sendSome())
      await expect(send()).rejects.toThrow('the database is down')
      expect([await stored(), await waiting()]).toEqual([[100, 100], 1])
      while ((await send()) === true);
      expect([await stored(), await waiting()]).toEqual([[100, 100], 0])
    })

    test('a missing column is added again', async () => {
      await (await newSender()).send()
      await direct.run('alter table clicks drop column utm_source')
      await addBatch(10)
      await (await newSender()).sendAll()
      expect(await stored()).toEqual([10, 10])
    })

    test('a database restored from an older backup does not send its batches again', async () => {
      const ids = [await addBatch(100), await addBatch(200)]
      const backup = await db.sql.selectFrom('click_batches').selectAll().execute()
      await (await newSender()).sendAll()
      await db.write(() => db.sql.insertInto('click_batches').values(backup).execute())
      await addBatch(50)
      await (await newSender()).sendAll()
      expect([await stored(), await waiting(), ids.length]).toEqual([[350, 350], 0, 2])
    })

    test('sets an unreadable batch aside and sends the others', async () => {
      await (await newSender()).send()
      const id = await addBatch(10)
      await addBatch(20)
      await db.write(() =>
        db.sql
          .updateTable('click_batches')
          .set({ data: Buffer.from('broken') })
          .where('id', '=', id)
          .execute(),
      )
      await (await newSender()).sendAll()
      expect((await stored())[0]).toBe(20)
      const aside = await db.sql.selectFrom('set_aside_clicks').select('id').execute()
      expect(aside.map((row) => row.id)).toContain(id)
    })

    test('days that another process sums meanwhile are not summed twice', async () => {
      await addBatch(10, Date.UTC(2026, 3, 30))
      const { lease, clickhouse, send } = await newSender()
      await send()
      const suspended = {
        ...clickhouse,
        async *stream<Row>(statement: string) {
          yield* clickhouse.stream<Row>(statement)
          await db.write(() => db.sql.updateTable('leases').set({ holder: 'another' }).execute())
        },
      }
      const dropBefore = (from: ClickHouse) =>
        clickHouseStatistics(db, from, lease).dropBefore(Date.UTC(2026, 4))
      await expect(dropBefore(suspended)).rejects.toThrow('Another process has taken over')
      expect(await db.sql.selectFrom('click_sums').selectAll().execute()).toEqual([])
      await db.write(() => db.sql.updateTable('leases').set({ holder: '' }).execute())
      await dropBefore(clickhouse)
      const [sums] = await db.sql
        .selectFrom('click_sums')
        .select((select) => select.fn.sum<number>('clicks').as('clicks'))
        .where('workspace_uuid', '=', workspace)
        .where('dimension', '=', 'time')
        .execute()
      expect([Number(sums?.clicks), await stored()]).toEqual([10, [0, 0]])
    })

    test('clicks are sent even if old months cannot be dropped', async () => {
      const { lease, clickhouse } = await newSender()
      const sender = new ClickSender({
        db,
        clickhouse,
        lease,
        log: {
          info: () => undefined,
          warn: (_fields: unknown, text?: string) => void logged.push(text ?? ''),
        },
        sweep: () => Promise.reject(new Error('Code: 359')),
      })
      sender.start()
      await expect
        .poll(() => logged)
        .toEqual(['old and erased clicks could not be deleted in ClickHouse; tried again in an hour'])
      await addBatch(10)
      await expect.poll(waiting).toBe(0)
      expect([sender.fault, sender.failures]).toEqual([undefined, 0])
      await sender.close()
    })

    test('an account erased while its batches wait is hidden, then deleted', async () => {
      await (await newSender()).send()
      await addBatch(100)
      const { lease, clickhouse, sendAll } = await newSender()
      const statistics = clickHouseStatistics(db, clickhouse, lease)
      while (await db.write(() => statistics.forget(workspace)));
      // Batches are sent first: none may arrive after the deletion.
      await deleteErased(db, clickhouse, 0)
      await sendAll()
      expect((await stored())[0]).toBe(100)
      const all = {
        workspaceUuid: workspace,
        scope: undefined,
        retainedFromMs: 0,
        fromMs: 0,
        toMs: DAY + 9 * DAY_MS,
      }
      for await (const click of statistics.clicks(all)) expect.unreachable(JSON.stringify(click))
      await deleteErased(db, clickhouse, 0)
      await expect.poll(async () => (await stored())[0]).toBe(0)
      await deleteErased(db, clickhouse, DAY_MS)
      expect(await db.sql.selectFrom('erased_clicks').selectAll().execute()).toEqual([])
    })

    test('logs an outage once, and when it ends', async () => {
      const { sender } = await newSender()
      await addBatch(10)
      await askServices(`own/${service['id']}/halt`)
      sender.start()
      await expect.poll(() => sender.failures).toBeGreaterThan(1)
      expect(sender.fault).toMatch(/^ClickHouse cannot be reached/)
      await askServices(`own/${service['id']}/resume`)
      await expect.poll(() => sender.fault).toBeUndefined()
      expect(logged).toEqual([
        'clicks are not sent to ClickHouse; they wait in the database',
        'clicks are sent to ClickHouse again',
      ])
      await sender.close()
      expect(await stored()).toEqual([10, 10])
    })
  })
})
