import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { BROWSER, testClickOf } from '../spool/click.testing.ts'
import { listSpoolFiles } from '../spool/spool-folder.ts'
import { Spool } from '../spool/spool.ts'
import { clickDatabase, insertTestLink, readLink } from '../testing.ts'
import { startIngest } from './ingest-host.ts'
import { testSpool } from './spool.testing.ts'

/* Writers and readers as child processes that are killed, and the counting thread. */

const CHILD = fileURLToPath(new URL('./ingest-child.testing.ts', import.meta.url))

forEachDatabase((_engine, _open, databases) => {
  const spooled = testSpool(databases)
  const children: ChildProcess[] = []

  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL')
  })

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

  test('readers killed repeatedly count every click once', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie(
      Array.from({ length: 6_000 }, () => testClickOf(link.uuid)),
      11,
    )
    const database = JSON.stringify(clickDatabase(spooled.place))
    for (let kills = 0, counted = 0; kills < 4; kills++) {
      const [one, other] = [start('read', spooled.folder, database), start('read', spooled.folder, database)]
      await Promise.all([once(one.stdout!, 'data'), once(other.stdout!, 'data')])
      // Single clicks, because the link's total lags while counting is behind.
      await expect.poll(() => spooled.rawClicks(link.uuid)).toBeGreaterThan(counted)
      await Promise.all([kill(one), kill(other)])
      counted = await spooled.rawClicks(link.uuid)
      expect(counted).toBeLessThan(6_000)
    }
    await spooled.reader().drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(6_000)
    expect(await spooled.rawClicks(link.uuid)).toBe(6_000)
    expect(listSpoolFiles(spooled.folder)).toEqual([])
  })

  test('writers killed under load: every answered click is counted, plus at most those in flight', async () => {
    const link = await insertTestLink(spooled.db)
    const files = ['one', 'two'].map((name) => `${spooled.folder}-answered-${name}`)
    const writers = files.map((file) => start('write', spooled.folder, link.uuid, file))
    const answered = (): number[] => files.map((file) => (existsSync(file) ? Number(readFileSync(file)) : 0))
    await expect.poll(() => Math.min(...answered())).toBeGreaterThanOrEqual(2_000)
    // A reader leaves the files of living writers alone.
    await spooled.reader().drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(0)
    await Promise.all(writers.map(kill))
    await spooled.reader().drain()
    const { clicks } = await readLink(spooled.db, link.uuid)
    const seen = answered().reduce((sum, each) => sum + each, 0)
    expect(clicks).toBeGreaterThanOrEqual(seen)
    // Each writer spools five clicks at a time.
    expect(clicks).toBeLessThanOrEqual(seen + 2 * 5)
    expect(await spooled.rawClicks(link.uuid)).toBe(clicks)
    expect(readdirSync(spooled.folder)).toEqual([])
  })

  test('the thread counts, deletes files it has read, and drains at the end', async () => {
    const link = await insertTestLink(spooled.db)
    const spool = new Spool({ folder: spooled.folder, owner: randomUUID(), rotateMs: 200 })
    const ingest = startIngest({
      folder: spooled.folder,
      owner: spool.owner,
      database: clickDatabase(spooled.place),
      pollMs: 20,
    })
    spool.append(testClickOf(link.uuid, { userAgent: BROWSER }))
    await expect.poll(async () => (await readLink(spooled.db, link.uuid)).clicks).toBe(1)
    await expect.poll(() => listSpoolFiles(spooled.folder)).toEqual([])
    for (let i = 0; i < 500; i++) spool.append(testClickOf(link.uuid))
    spool.close()
    expect(await ingest.drain(20_000)).toBe(true)
    spool.release()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(501)
    expect(readdirSync(spooled.folder)).toEqual([])
    expect(ingest.status()).toMatchObject({ ok: true, fault: null })
  })

  test('keeps clicks in the spool and reports it while the database is unavailable', async () => {
    const link = await insertTestLink(spooled.db)
    await spooled.spoolAndDie([testClickOf(link.uuid)])
    const faults: string[] = []
    const database = { engine: 'postgres', url: 'postgres://nobody@127.0.0.1:1/none' } as const
    const ingest = startIngest({
      folder: spooled.folder,
      owner: randomUUID(),
      database,
      pollMs: 20,
      onFault: (text) => faults.push(text),
    })
    await expect.poll(() => ingest.status().ok).toBe(false)
    expect(faults[0]).toMatch(/ECONNREFUSED|connect/i)
    await ingest.stop()
    expect(listSpoolFiles(spooled.folder)).toHaveLength(1)
    await spooled.reader().drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(1)
  })
})
