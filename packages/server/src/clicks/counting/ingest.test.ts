import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testClickOf } from '../spool/click.testing.ts'
import { listSpoolFiles, spoolFileName } from '../spool/spool-folder.ts'
import { Spool } from '../spool/spool.ts'
import { databaseStatistics } from '../statistics/database.ts'
import {
  insertTestLink,
  insertTestPage,
  openTestStore,
  readLink,
  storedClick,
  storedClicksOf,
} from '../testing.ts'
import type { ClickStore } from './click-store.ts'
import { testSpool } from './spool.testing.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 15, 12)
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

forEachDatabase((_engine, _open, databases) => {
  const spooled = testSpool(databases)

  test('adds to the total of the link, stores each click without its address, and cleans up', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie([
      testClickOf(link.uuid, { atMs: NOON, referrer: 'https://www.news.example/today' }),
      testClickOf(link.uuid, { atMs: NOON + HOUR_MS }),
      testClickOf(link.uuid, { atMs: NOON + HOUR_MS, address: '203.0.113.9' }),
      testClickOf(link.uuid, { userAgent: BOT }),
      testClickOf(link.uuid, { prefetch: true }),
      testClickOf(randomUUID()),
    ])
    const ingest = spooled.reader()
    await ingest.drain()
    expect(ingest.counts).toMatchObject({ counted: 5, dropped: 1, damagedBytes: 0, backlogBytes: 0 })
    expect(await readLink(spooled.db, link.uuid)).toMatchObject({
      clicks: 3,
      bot_clicks: 2,
      last_click_at: NOON + HOUR_MS,
    })
    const kept = await storedClicksOf(spooled.db, link.workspace_uuid, link.uuid)
    expect(kept).toHaveLength(5)
    const { visitor: _visitor, ...expected } = storedClick(link.uuid, NOON, {
      country: 'GB',
      referrer: 'news.example',
      device: 'desktop',
      browser: 'Chrome',
      system: 'Windows',
      language: '',
    })
    expect(kept[0]).toEqual(expected)
    expect(JSON.stringify(kept)).not.toContain('203.0.113.9')
    expect(readdirSync(spooled.folder)).toEqual([])
  })

  test('a page counts its views, and its buttons by name', async () => {
    const link = await insertTestLink(spooled.db)
    const page = await insertTestPage(spooled.db, link.workspace_uuid)
    await spooled.spoolAndDie([
      testClickOf(page, { kind: 'page' }),
      testClickOf(page, { kind: 'page', userAgent: BOT }),
      testClickOf(page, { kind: 'button', detail: '3' }),
      testClickOf(page, { kind: 'icon', detail: 'youtube' }),
    ])
    await spooled.reader().drain()
    const after = await spooled.db.sql
      .selectFrom('pages')
      .select('views')
      .where('uuid', '=', page)
      .executeTakeFirstOrThrow()
    expect(after.views).toBe(1)
    const query = {
      workspaceUuid: link.workspace_uuid,
      scope: [page],
      retainedFromMs: 0,
      fromMs: NOON - 24 * HOUR_MS,
      toMs: NOON + 24 * HOUR_MS,
      previousFromMs: undefined,
      interval: 'day',
      timezone: 'UTC',
      by: ['button', 'icon'],
      filters: new Map<never, never>(),
      bot: undefined,
    } as const
    const statistics = databaseStatistics(spooled.db, undefined)
    const { breakdowns } = await statistics.figures(query)
    expect([...breakdowns]).toEqual([
      ['button', [{ value: '3', clicks: 1 }]],
      ['icon', [{ value: 'youtube', clicks: 1 }]],
    ])
  })

  test('handles a clock that jumps back an hour', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie([
      testClickOf(link.uuid, { atMs: NOON }),
      testClickOf(link.uuid, { atMs: NOON - HOUR_MS }),
    ])
    await spooled.spoolAndDie([testClickOf(link.uuid, { atMs: NOON - 2 * HOUR_MS })])
    await spooled.reader().drain()
    expect(await readLink(spooled.db, link.uuid)).toMatchObject({ clicks: 3, last_click_at: NOON })
  })

  test('a torn last frame loses only itself, and the file is deleted', async () => {
    const link = await insertTestLink(spooled.db)
    const owner = randomUUID()
    const spool = new Spool({ folder: spooled.folder, owner })
    spool.append(testClickOf(link.uuid))
    await new Promise<void>((resolve) => spool.afterWrite(resolve))
    const path = join(spooled.folder, spoolFileName(owner, 1))
    const whole = readFileSync(path)
    appendFileSync(path, whole.subarray(16, whole.length - 5))
    spool.release()
    const ingest = spooled.reader()
    await ingest.drain()
    expect(await readLink(spooled.db, link.uuid)).toMatchObject({ clicks: 1 })
    expect(listSpoolFiles(spooled.folder)).toEqual([])
    expect(ingest.counts.damagedBytes).toBe(whole.length - 16 - 5)
  })

  test('a file of another version is set aside unchanged and reported once', async () => {
    mkdirSync(spooled.folder, { recursive: true })
    const name = spoolFileName(randomUUID(), 1)
    writeFileSync(join(spooled.folder, name), 'WAYMARK-SPOOL 0\nold records')
    writeFileSync(join(spooled.folder, spoolFileName(randomUUID(), 1)), '')
    const ingest = spooled.reader()
    await ingest.drain()
    await ingest.drain()
    expect(readFileSync(join(spooled.folder, `${name}.unreadable`), 'utf8')).toBe(
      'WAYMARK-SPOOL 0\nold records',
    )
    expect(listSpoolFiles(spooled.folder)).toEqual([])
    expect([ingest.counts.setAside, spooled.oddities.length]).toEqual([1, 1])
  })

  test('a failed batch is rolled back and read again', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie(Array.from({ length: 20 }, () => testClickOf(link.uuid)))
    let fails = 2
    const failing: ClickStore = {
      ...spooled.store,
      write: async (batch) => {
        if (fails-- > 0) throw new Error('away')
        return spooled.store.write(batch)
      },
    }
    const ingest = spooled.reader({ store: failing, batchClicks: 7 })
    await expect(ingest.drain()).rejects.toThrow('away')
    await expect(ingest.drain()).rejects.toThrow('away')
    await ingest.drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(20)
  })

  test('a batch whose commit was not confirmed is not counted again', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie(Array.from({ length: 20 }, () => testClickOf(link.uuid)))
    const forgetful: ClickStore = {
      ...spooled.store,
      write: async (batch) => {
        await spooled.store.write(batch)
        throw new Error('the connection broke after the commit')
      },
    }
    const first = spooled.reader({ store: forgetful, batchClicks: 7 })
    await expect(first.drain()).rejects.toThrow('broke')
    first.close()
    await spooled.reader().drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(20)
    expect(await spooled.rawClicks(link.uuid)).toBe(20)
  })

  test('two nodes that count the same links at once add up and do not deadlock', async () => {
    const first = await insertTestLink(spooled.db)
    const links = [first]
    for (let i = 0; i < 20; i++)
      links.push(await insertTestLink(spooled.db, { workspace_uuid: first.workspace_uuid }))
    const batch = () =>
      links
        .toSorted(() => Math.random() - 0.5)
        .map(({ uuid }, visitor) => storedClick(uuid, NOON, { visitor }))
    const other = openTestStore(spooled.place)
    const write = async (node: ClickStore) => {
      for (let round = 0; round < 20; round++) {
        const file = randomUUID()
        await node.position(file)
        await node.write({ file, from: 0, to: 1, clicks: batch() })
      }
    }
    await Promise.all([write(spooled.store), write(other)])
    await other.close()
    for (const { uuid } of links) expect((await readLink(spooled.db, uuid)).clicks).toBe(40)
    expect(await spooled.rawClicks(first.uuid)).toBe(40)
  })

  test('two readers of one file count each click once', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie(Array.from({ length: 300 }, () => testClickOf(link.uuid)))
    // Both believe they own it, as if the lock had failed.
    const [{ owner } = { owner: '' }] = listSpoolFiles(spooled.folder)
    const second = openTestStore(spooled.place)
    const readers = [
      spooled.reader({ owner, batchClicks: 7 }),
      spooled.reader({ owner, batchClicks: 7, store: second }),
    ]
    await Promise.all(readers.map((ingest) => ingest.drain()))
    await second.close()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(300)
  })
})
