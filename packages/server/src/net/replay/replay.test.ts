import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import SqliteDatabase from 'better-sqlite3'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../storage/db/open.ts'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { Place } from '../../storage/db/testing.ts'
import { isUnavailable } from '../../storage/db/unavailable.ts'
import { openReplay } from './open.ts'
import type { Replay } from './replay.ts'

const child = fileURLToPath(new URL('replay.race-child.ts', import.meta.url))
const T = 1_800_000_000_000

forEachDatabase((engine, _open, databases) => {
  let place: Place
  let db: Database
  let now = T
  const opened: Replay[] = []

  async function open(): Promise<Replay> {
    const replay = await openReplay(db, place.dataDir, Buffer.alloc(32, 1), { now: () => now })
    opened.push(replay)
    return replay
  }

  beforeAll(async () => {
    place = await databases.place()
    db = await openDatabase(place)
  })

  afterAll(() => db.close())

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((replay) => replay.close()))
  })

  const signature = (): string => crypto.randomUUID()

  it('accepts a signature once per key', async () => {
    const replay = await open()
    const [one, two] = [signature(), signature()]
    expect(await replay.use('wm_a', one, T + 300_000)).toBe(true)
    expect(await replay.use('wm_a', one, T + 300_000)).toBe(false)
    expect(await replay.use('wm_b', one, T + 300_000)).toBe(true)
    expect(await replay.use('wm_a', two, T + 300_000)).toBe(true)
  })

  it('stores nothing that identifies the key', async () => {
    const replay = await open()
    const [apiKey, one] = ['wm_erased_later', signature()]
    await replay.use(apiKey, one, T + 300_000)
    await replay.close()
    const stored =
      engine === 'sqlite'
        ? new SqliteDatabase(join(place.dataDir, 'replay.db')).prepare('select * from used_signatures').all()
        : (await sql`select * from used_signatures`.execute(db.sql)).rows
    expect(stored.length).toBeGreaterThan(0)
    expect(JSON.stringify(stored)).not.toMatch(/wm_/)
    expect(JSON.stringify(stored)).not.toContain(one)
  })

  it('remembers across instances and restarts', async () => {
    const [first, second] = [await open(), await open()]
    const one = signature()
    expect(await first.use('wm_a', one, T + 300_000)).toBe(true)
    expect(await second.use('wm_a', one, T + 300_000)).toBe(false)
    await first.close()
    await second.close()
    expect(await (await open()).use('wm_a', one, T + 300_000)).toBe(false)
  })

  it('accepts exactly one of many concurrent uses', async () => {
    const instances = [await open(), await open(), await open()]
    const signatures = Array.from({ length: 50 }, signature)
    const tries = signatures.flatMap((one) =>
      [...instances, ...instances].map((replay) => replay.use('wm_a', one, T + 300_000)),
    )
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(50)
  })

  it('deletes expired signatures, and nothing else', async () => {
    const [old, young] = [signature(), signature()]
    const replay = await open()
    await replay.use('wm_a', old, T + 1_000)
    await replay.use('wm_a', young, T + 300_000)
    await replay.close()
    now = T + 2_000
    const later = await open()
    expect(await later.use('wm_a', young, T + 300_000)).toBe(false)
    expect(await later.use('wm_a', old, T + 1_000)).toBe(true)
    now = T
  })

  it('is unavailable once it is closed', async () => {
    const replay = await open()
    const pending = replay.use('wm_a', signature(), T + 300_000)
    await replay.close()
    expect(await pending).toBe(true)
    const failure = await replay.use('wm_a', signature(), T + 300_000).catch((error: unknown) => error)
    expect(isUnavailable(failure)).toBe(true)
  })

  describe('several processes', () => {
    it('accept each signature once between them', async () => {
      const args = [child, place.dataDir, place.url ?? '']
      const runs = await Promise.all(
        [1, 2, 3].map(() => promisify(execFile)(process.execPath, args, { timeout: 120_000 })),
      )
      const firsts = runs.flatMap(({ stdout }) => stdout.trim().split('\n')).filter((line) => line !== '')
      expect(firsts).toHaveLength(400)
      expect(new Set(firsts).size).toBe(400)
    })
  })

  if (engine === 'sqlite') {
    it('creates its file for its owner only', async () => {
      await open()
      expect((await stat(join(place.dataDir, 'replay.db'))).mode & 0o777).toBe(0o600)
    })
  }
})
