import { beforeEach, expect, it } from 'vitest'
import type { Database } from '../../storage/db/database.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { Lease } from './lease.ts'

const LIFE_MS = 1_000

forEachDatabase((_engine, open) => {
  let db: Database
  let nowMs = 0
  const lease = (holder: string): Lease =>
    new Lease({ db, name: 'work', holder, lifeMs: LIFE_MS, clock: () => nowMs })

  beforeEach(async () => {
    db ??= await open()
    await db.write(() => db.sql.deleteFrom('leases').execute())
    nowMs = 5_000
  })

  it('is taken by the first process, which keeps it as long as it renews it', async () => {
    const [a, b] = [lease('a'), lease('b')]
    expect(await a.tick()).toBe(true)
    for (let n = 0; n < 20; n++) {
      nowMs += LIFE_MS / 2
      expect([await a.tick(), await b.tick()]).toEqual([true, false])
    }
  })

  it('has one holder when several try at once', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => lease(`${n}`).tick()))
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  it('is taken over by one of the waiting processes when it expires', async () => {
    const waiting = [lease('b'), lease('c'), lease('d')]
    const a = lease('a')
    await a.tick()
    expect(await Promise.all(waiting.map((other) => other.tick()))).toEqual([false, false, false])
    nowMs += LIFE_MS - 1
    expect(await Promise.all(waiting.map((other) => other.tick()))).toEqual([false, false, false])
    expect(a.held).toBe(true)
    nowMs += 1
    expect(a.held).toBe(false)
    const taken = await Promise.all(waiting.map((other) => other.tick()))
    expect(taken.filter(Boolean)).toHaveLength(1)
    expect(await a.tick()).toBe(false)
  })

  it('expires a full lifetime after a watcher first saw it, whatever the clock', async () => {
    await lease('a').tick()
    nowMs += 100 * LIFE_MS
    const b = lease('b')
    expect(await b.tick()).toBe(false)
    nowMs += LIFE_MS
    expect(await b.tick()).toBe(true)
  })

  it('confirms its holder within a write, and changes its term when it is taken again', async () => {
    const [a, b] = [lease('a'), lease('b')]
    await a.tick()
    await a.tick()
    await db.write(() => a.confirm())
    expect([a.terms, b.terms]).toEqual([1, 0])
    await b.tick()
    nowMs += LIFE_MS
    await b.tick()
    await expect(db.write(() => a.confirm())).rejects.toThrow('Another process has taken over')
    await db.write(() => b.confirm())
    await b.release()
    await a.tick()
    expect([a.terms, b.terms]).toEqual([2, 1])
  })

  it('is free immediately after a release', async () => {
    const [a, b] = [lease('a'), lease('b')]
    await a.tick()
    await b.tick()
    await a.release()
    expect(a.held).toBe(false)
    expect(await b.tick()).toBe(true)
    await a.release()
    expect(b.held).toBe(true)
    expect(await a.tick()).toBe(false)
  })
})
