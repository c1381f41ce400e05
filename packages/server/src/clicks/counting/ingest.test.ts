import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openDatabase } from '../../storage/db/open.ts'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { Place } from '../../storage/db/testing.ts'
import { BROWSER, testClickOf } from '../spool/click.testing.ts'
import { Ingest } from './ingest.ts'
import { startIngest } from './ingest-host.ts'
import type { ClickStore } from './click-store.ts'
import type { Click } from '../spool/record.ts'
import { listSpoolFiles, spoolFileName } from '../spool/spool-folder.ts'
import { Spool } from '../spool/spool.ts'
import { readStats } from '../statistics/statistics.ts'
import {
  clickDatabase,
  enrichedClick,
  insertTestLink,
  keptClicksOf,
  openTestStore,
  readLink,
} from '../testing.ts'

const HOUR_MS = 3_600_000
const NOON = Date.UTC(2026, 10, 15, 12)
const CHILD = fileURLToPath(new URL('./ingest-child.testing.ts', import.meta.url))
const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'

forEachDatabase((engine, _open, databases) => {
  const root = mkdtempSync(join(tmpdir(), 'waymark-ingest-'))
  const children: ChildProcess[] = []
  let place: Place
  let db: Database
  let store: ClickStore
  let folder = ''
  const oddities: string[] = []

  beforeAll(async () => {
    place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
  })

  beforeEach(() => {
    folder = join(root, randomUUID())
    oddities.length = 0
  })

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

  afterAll(async () => {
    await store.close()
    await db.close()
    rmSync(root, { recursive: true, force: true })
  })

  const reader = (fields: { owner?: string; batchClicks?: number; store?: ClickStore } = {}) =>
    new Ingest({
      folder,
      owner: randomUUID(),
      store,
      countryOf: (address) => (address === '81.2.69.142' ? 'GB' : ''),
      now: Date.now,
      onOddity: (text) => oddities.push(text),
      ...fields,
    })

  /** Spools the clicks as a process that is dead by now. */
  async function spoolAndDie(clicks: Click[], perTurn = 7): Promise<void> {
    const spool = new Spool({ folder, owner: randomUUID() })
    for (let i = 0; i < clicks.length; i += perTurn) {
      for (const click of clicks.slice(i, i + perTurn)) spool.append(click)
      await new Promise<void>((resolve) => spool.afterWrite(resolve))
    }
    spool.close()
    spool.release()
  }

  function start(...args: string[]): ChildProcess {
    const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    children.push(child)
    return child
  }

  async function kill(child: ChildProcess): Promise<void> {
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  async function rawClicks(resourceUuid: string): Promise<number> {
    const { user_uuid } = await readLink(db, resourceUuid)
    return (await keptClicksOf(db, user_uuid, resourceUuid)).length
  }

  test('counts on the link, keeps each click without its address, and cleans up', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie([
      testClickOf(link.uuid, { atMs: NOON, referrer: 'https://www.news.example/today' }),
      testClickOf(link.uuid, { atMs: NOON + HOUR_MS }),
      testClickOf(link.uuid, { atMs: NOON + HOUR_MS, address: '203.0.113.9' }),
      testClickOf(link.uuid, { userAgent: BOT }),
      testClickOf(link.uuid, { prefetch: true }),
      testClickOf(randomUUID()),
    ])
    const ingest = reader()
    await ingest.drain()
    expect(ingest.counts).toMatchObject({ counted: 5, dropped: 1, damagedBytes: 0, backlogBytes: 0 })
    expect(await readLink(db, link.uuid)).toMatchObject({
      clicks: 3,
      bot_clicks: 2,
      last_click_at: NOON + HOUR_MS,
    })
    const kept = await keptClicksOf(db, link.user_uuid, link.uuid)
    expect(kept).toHaveLength(5)
    expect(kept[0]).toEqual({
      atMs: NOON,
      kind: 'link',
      resourceUuid: link.uuid,
      detail: '',
      country: 'GB',
      referrer: 'news.example',
      device: 'desktop',
      browser: 'Chrome',
      system: 'Windows',
      language: '',
      utm_source: '',
      utm_medium: '',
      utm_campaign: '',
      variant: '',
      rule: '',
      bot: false,
      scanned: false,
      // Nothing else in a single click tells one visitor from another.
      firstOfResource: true,
      firstOfUser: true,
    })
    expect(JSON.stringify(kept)).not.toContain('203.0.113.9')
    expect(kept.filter(({ firstOfResource }) => firstOfResource)).toHaveLength(2)
    expect(readdirSync(folder)).toEqual([])
  })

  test('a page counts its views, and its buttons by name', async () => {
    const link = await insertTestLink(db)
    const page = randomUUID()
    const row = {
      uuid: page,
      user_uuid: link.user_uuid,
      domain: '',
      slug: page,
      title: '',
      config: '{}',
      version: '',
    }
    const rest = { link_uuid: null, qrcode_uuid: null, views: 0, created_at: 0, updated_at: 0, trashed_at: 0 }
    await db.write(() =>
      db.sql
        .insertInto('pages')
        .values({ ...row, ...rest })
        .execute(),
    )
    await spoolAndDie([
      testClickOf(page, { kind: 'page' }),
      testClickOf(page, { kind: 'page', userAgent: BOT }),
      testClickOf(page, { kind: 'button', detail: '3' }),
      testClickOf(page, { kind: 'icon', detail: 'youtube' }),
    ])
    await reader().drain()
    const after = await db.sql
      .selectFrom('pages')
      .select('views')
      .where('uuid', '=', page)
      .executeTakeFirstOrThrow()
    expect(after.views).toBe(1)
    const range = { fromMs: NOON - 24 * HOUR_MS, toMs: NOON + 24 * HOUR_MS, interval: 'day' } as const
    const shown = async (by: 'button' | 'icon') =>
      (await readStats(db, { userId: link.user_uuid, scope: [page], ...range, by })).breakdown
    expect([await shown('button'), await shown('icon')]).toEqual([
      [{ value: '3', clicks: 1 }],
      [{ value: 'youtube', clicks: 1 }],
    ])
  })

  test('a clock that jumps back an hour breaks nothing', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie([
      testClickOf(link.uuid, { atMs: NOON }),
      testClickOf(link.uuid, { atMs: NOON - HOUR_MS }),
    ])
    await spoolAndDie([testClickOf(link.uuid, { atMs: NOON - 2 * HOUR_MS })])
    await reader().drain()
    expect(await readLink(db, link.uuid)).toMatchObject({ clicks: 3, last_click_at: NOON })
  })

  test('a torn end costs only itself, and the file is gone afterwards', async () => {
    const link = await insertTestLink(db)
    const owner = randomUUID()
    const spool = new Spool({ folder, owner })
    spool.append(testClickOf(link.uuid))
    await new Promise<void>((resolve) => spool.afterWrite(resolve))
    const path = join(folder, spoolFileName(owner, 1))
    const whole = readFileSync(path)
    appendFileSync(path, whole.subarray(16, whole.length - 5))
    spool.release()
    const ingest = reader()
    await ingest.drain()
    expect(await readLink(db, link.uuid)).toMatchObject({ clicks: 1 })
    expect(listSpoolFiles(folder)).toEqual([])
    expect(ingest.counts.damagedBytes).toBe(whole.length - 16 - 5)
  })

  test('a file of another version is set aside, untouched, and told once', async () => {
    mkdirSync(folder, { recursive: true })
    const name = spoolFileName(randomUUID(), 1)
    writeFileSync(join(folder, name), 'WAYMARK-SPOOL 0\nold records')
    writeFileSync(join(folder, spoolFileName(randomUUID(), 1)), '')
    const ingest = reader()
    await ingest.drain()
    await ingest.drain()
    expect(readFileSync(join(folder, `${name}.unreadable`), 'utf8')).toBe('WAYMARK-SPOOL 0\nold records')
    expect(listSpoolFiles(folder)).toEqual([])
    expect([ingest.counts.setAside, oddities.length]).toEqual([1, 1])
  })

  test('a batch that fails is not half counted, and is read again', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie(Array.from({ length: 20 }, () => testClickOf(link.uuid)))
    let fails = 2
    const failing: ClickStore = {
      ...store,
      write: async (batch) => {
        if (fails-- > 0) throw new Error('away')
        return store.write(batch)
      },
    }
    const ingest = reader({ store: failing, batchClicks: 7 })
    await expect(ingest.drain()).rejects.toThrow('away')
    await expect(ingest.drain()).rejects.toThrow('away')
    await ingest.drain()
    expect((await readLink(db, link.uuid)).clicks).toBe(20)
  })

  test('what was committed but not noticed is not counted again', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie(Array.from({ length: 20 }, () => testClickOf(link.uuid)))
    const forgetful: ClickStore = {
      ...store,
      write: async (batch) => {
        await store.write(batch)
        throw new Error('the connection broke after the commit')
      },
    }
    const first = reader({ store: forgetful, batchClicks: 7 })
    await expect(first.drain()).rejects.toThrow('broke')
    first.close()
    await reader().drain()
    expect((await readLink(db, link.uuid)).clicks).toBe(20)
    expect(await rawClicks(link.uuid)).toBe(20)
  })

  test('totals that a killed reader left waiting are added by the next one, once', async () => {
    const link = await insertTestLink(db)
    const file = spoolFileName(randomUUID(), 1)
    await store.position(file)
    const clicks = [enrichedClick(link.uuid, NOON), enrichedClick(link.uuid, NOON + 1, { bot: true })]
    await store.write({ file, from: 0, to: 1, clicks, totalsWait: true })
    expect(await rawClicks(link.uuid)).toBe(2)
    expect((await readLink(db, link.uuid)).clicks).toBe(0)
    const others = openTestStore(place)
    await Promise.all([reader().drain(), reader({ store: others }).drain()])
    await others.close()
    expect(await readLink(db, link.uuid)).toMatchObject({ clicks: 1, bot_clicks: 1, last_click_at: NOON })
    expect(await db.sql.selectFrom('waiting_totals').select('id').execute()).toEqual([])
  })

  test('two readers of one file count each click once', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie(Array.from({ length: 300 }, () => testClickOf(link.uuid)))
    // Both believe to own it, as if no lock had kept them apart.
    const [{ owner } = { owner: '' }] = listSpoolFiles(folder)
    const second = openTestStore(place)
    const readers = [reader({ owner, batchClicks: 7 }), reader({ owner, batchClicks: 7, store: second })]
    await Promise.all(readers.map((ingest) => ingest.drain()))
    await second.close()
    expect((await readLink(db, link.uuid)).clicks).toBe(300)
  })

  test('readers killed in the middle, again and again: every click once', async () => {
    const link = await insertTestLink(db)
    await spoolAndDie(
      Array.from({ length: 6_000 }, () => testClickOf(link.uuid)),
      11,
    )
    const database = JSON.stringify(clickDatabase(place))
    let kills = 0
    for (let counted = 0; kills < 4 && counted < 6_000; kills++) {
      const [one, other] = [start('read', folder, database), start('read', folder, database)]
      await Promise.all([once(one.stdout!, 'data'), once(other.stdout!, 'data')])
      await expect.poll(async () => (await readLink(db, link.uuid)).clicks).toBeGreaterThan(counted)
      await Promise.all([kill(one), kill(other)])
      counted = (await readLink(db, link.uuid)).clicks
    }
    expect(kills).toBeGreaterThan(1)
    await reader().drain()
    expect((await readLink(db, link.uuid)).clicks).toBe(6_000)
    expect(await rawClicks(link.uuid)).toBe(6_000)
    expect(listSpoolFiles(folder)).toEqual([])
  })

  test('writers killed under load: all that was answered is counted, and at most what was under way on top', async () => {
    const link = await insertTestLink(db)
    const files = ['one', 'two'].map((name) => `${folder}-answered-${name}`)
    const writers = files.map((file) => start('write', folder, link.uuid, file))
    const answered = (): number[] => files.map((file) => (existsSync(file) ? Number(readFileSync(file)) : 0))
    await expect.poll(() => Math.min(...answered())).toBeGreaterThanOrEqual(2_000)
    // A reader beside living writers takes nothing of theirs.
    await reader().drain()
    expect((await readLink(db, link.uuid)).clicks).toBe(0)
    await Promise.all(writers.map(kill))
    await reader().drain()
    const { clicks } = await readLink(db, link.uuid)
    const seen = answered().reduce((sum, each) => sum + each, 0)
    expect(clicks).toBeGreaterThanOrEqual(seen)
    // Each writer spools five clicks at a time.
    expect(clicks).toBeLessThanOrEqual(seen + 2 * 5)
    expect(await rawClicks(link.uuid)).toBe(clicks)
    expect(readdirSync(folder)).toEqual([])
  })

  test('the thread counts by itself, deletes what it read, and drains at the end', async () => {
    const link = await insertTestLink(db)
    const spool = new Spool({ folder, owner: randomUUID(), rotateMs: 200 })
    const ingest = startIngest({ folder, owner: spool.owner, database: clickDatabase(place), pollMs: 20 })
    spool.append(testClickOf(link.uuid, { userAgent: BROWSER }))
    await expect.poll(async () => (await readLink(db, link.uuid)).clicks).toBe(1)
    await expect.poll(() => listSpoolFiles(folder)).toEqual([])
    for (let i = 0; i < 500; i++) spool.append(testClickOf(link.uuid))
    spool.close()
    expect(await ingest.drain(20_000)).toBe(true)
    spool.release()
    expect((await readLink(db, link.uuid)).clicks).toBe(501)
    expect(readdirSync(folder)).toEqual([])
    expect(ingest.status()).toMatchObject({ ok: true, fault: null })
  })

  describe(`${engine}: a database that is away`, () => {
    test('leaves the clicks in the spool and says so', async () => {
      const link = await insertTestLink(db)
      await spoolAndDie([testClickOf(link.uuid)])
      const faults: string[] = []
      const database = { engine: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' } as const
      const ingest = startIngest({
        folder,
        owner: randomUUID(),
        database,
        pollMs: 20,
        onFault: (text) => faults.push(text),
      })
      await expect.poll(() => ingest.status().ok).toBe(false)
      expect(faults[0]).toMatch(/ECONNREFUSED|connect/i)
      await ingest.stop()
      expect(listSpoolFiles(folder)).toHaveLength(1)
      await reader().drain()
      expect((await readLink(db, link.uuid)).clicks).toBe(1)
    })
  })
})
