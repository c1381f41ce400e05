import { randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase, type Place } from '../../storage/db/testing.ts'
import { VisitNumbers } from '../batches/visit-numbers.ts'
import { readStats } from '../statistics/read-stats.ts'
import { enrichedClick, insertTestLink, openTestStore } from '../testing.ts'
import type { ClickStore } from './click-store.ts'
import { SeenVisits } from './seen-visits.ts'
import { packVisits, VisitLog } from './visit-log.ts'
import { dayNumber, firstVisitId } from './visit-id.ts'

const DAY = Date.UTC(2026, 10, 15)
const NUMBER = dayNumber(DAY)
const FIRST = firstVisitId(DAY)
/** Often equal, often equal in their lower bits, of every size. */
const anyVisit = fc.oneof(
  fc.nat(50),
  fc.nat(50).map((n) => n * 2 ** 32 + 7),
  fc.maxSafeNat().map((n) => n % 2 ** 39),
)

test('SeenVisits knows what was added, and nothing else', () => {
  fc.assert(
    fc.property(fc.array(anyVisit, { maxLength: 3_000 }), fc.array(anyVisit), (added, others) => {
      const seen = new SeenVisits()
      for (const visit of added) seen.add(visit)
      const truth = new Set(added)
      expect(seen.count).toBe(truth.size)
      for (const visit of [...added, ...others]) expect(seen.has(visit)).toBe(truth.has(visit))
    }),
    { numRuns: 50 },
  )
})

test('VisitNumbers gives each visit one number, and calls a new one new once', () => {
  fc.assert(
    fc.property(fc.array(anyVisit, { maxLength: 3_000 }), (visits) => {
      const numbers = new VisitNumbers()
      const given = visits.map((visit) => numbers.numberOf(FIRST + visit))
      const different = [...new Set(visits)]
      expect(new Set(given).size).toBe(different.length)
      expect([...numbers.ids]).toEqual(different.map((visit) => FIRST + visit))
      const fresh = different.filter((_, at) => at % 2 === 0)
      numbers.noteNew(fresh.map((visit) => FIRST + visit))
      const taken = visits.filter((_, at) => numbers.takeNew(given[at]!))
      expect(taken).toEqual(fresh)
      expect(numbers.takeNew(0)).toBe(false)
    }),
    { numRuns: 50 },
  )
})

describe('VisitLog', () => {
  const ids = (...visits: number[]) => Float64Array.from(visits, (visit) => FIRST + visit)

  test('takes for new what is in no row, of each day by itself', () => {
    const log = new VisitLog()
    log.open([NUMBER, NUMBER + 1])
    log.read(NUMBER, [{ sequence: 4, data: packVisits([...ids(1, 2)]) }])
    expect(log.sequenceOf(NUMBER)).toBe(4)
    const nextDay = firstVisitId(DAY + DAY_MS)
    const all = Float64Array.from([...ids(1, 3), nextDay + 1])
    expect(log.unseen(all).map((day) => [day.day, [...day.ids]])).toEqual([
      [NUMBER, [FIRST + 3]],
      [NUMBER + 1, [nextDay + 1]],
    ])
    // Nothing is known before it is committed.
    expect(log.unseen(ids(3))).toHaveLength(1)
    log.note({ day: NUMBER, ids: [FIRST + 3], sequence: 5 })
    expect(log.unseen(ids(3))).toEqual([])
  })

  test('keeps few days in memory, and reads the others again', () => {
    const log = new VisitLog()
    const week = [0, 1, 2, 3, 4, 5, 6].map((n) => NUMBER + n)
    log.open(week)
    for (const day of week) log.read(day, [{ sequence: 1, data: packVisits([1]) }])
    log.open([NUMBER])
    expect(log.sequenceOf(NUMBER)).toBe(1)
    expect(() => log.sequenceOf(NUMBER + 1)).toThrow('not opened')
    log.open([NUMBER + 1])
    expect(log.sequenceOf(NUMBER + 1)).toBe(0)
  })
})

forEachDatabase((_engine, _open, databases) => {
  let place: Place
  let db: Database
  const stores: ClickStore[] = []

  beforeAll(async () => {
    place = await databases.place()
    db = await openDatabase(place)
  })
  afterAll(async () => {
    for (const store of stores) await store.close()
    await db.close()
  })

  const open = (log?: VisitLog): ClickStore => {
    const store = openTestStore(place, log)
    stores.push(store)
    return store
  }

  async function visit(
    store: ClickStore,
    resourceUuid: string,
    visitors: readonly number[],
    day = DAY,
  ): Promise<void> {
    const file = randomUUID()
    await store.position(file)
    const clicks = visitors.map((visitor) => enrichedClick(resourceUuid, day + visitor, { visitor }))
    await store.write({ file, from: 0, to: 1, clicks })
  }

  async function uniquesOf(link: { workspace_uuid: string; uuid: string }): Promise<number[]> {
    const range = { fromMs: DAY, toMs: DAY + 2 * DAY_MS, interval: 'day', by: undefined } as const
    const read = async (scope: string[] | undefined) =>
      (await readStats(db, { userId: link.workspace_uuid, scope, ...range })).totals.uniques
    return [await read([link.uuid]), await read(undefined)]
  }

  test('a visitor is new once, whichever process counts, before a restart and after', async () => {
    const link = await insertTestLink(db)
    const [one, other] = [open(), open()]
    await visit(one, link.uuid, [1, 2])
    await visit(other, link.uuid, [2, 3])
    await visit(one, link.uuid, [3, 4, 4])
    await visit(open(), link.uuid, [1, 2, 3, 4, 5])
    expect(await uniquesOf(link)).toEqual([5, 5])
  })

  test('a day with too many visitors for memory goes on in the table', async () => {
    const link = await insertTestLink(db)
    const [one, other] = [open(new VisitLog(1)), open(new VisitLog(1))]
    await visit(one, link.uuid, [1_001, 1_002], DAY + DAY_MS)
    await visit(one, link.uuid, [1_002, 1_003, 1_003], DAY + DAY_MS)
    await visit(other, link.uuid, [1_001, 1_003, 1_004], DAY + DAY_MS)
    expect(await uniquesOf(link)).toEqual([4, 4])
    // Two visitors, of the link and of all links of its user; the first two stand in the log.
    expect((await db.sql.selectFrom('visits').select('id').execute()).length).toBe(4)
  })

  test('many small rows become one, and nothing is new again', async () => {
    const link = await insertTestLink(db)
    const [one, other] = [open(), open()]
    const visitors = Array.from({ length: 70 }, (_, n) => 2_000 + n)
    for (const visitor of visitors) await visit(one, link.uuid, [visitor])
    await visit(other, link.uuid, visitors)
    await visit(open(), link.uuid, visitors)
    expect(await uniquesOf(link)).toEqual([70, 70])
    expect((await db.sql.selectFrom('visit_log').select('sequence').execute()).length).toBeLessThan(20)
  })
})
