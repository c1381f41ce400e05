import { randomBytes, randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { DAY_MS } from '../../work/times.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import { testClickOf } from '../spool/click.testing.ts'
import { type Click, encodeClick, FILE_HEADER, FRAME_HEADER_BYTES, sealFrame } from '../spool/record.ts'
import { spoolFileName } from '../spool/spool-folder.ts'
import { sweepClicks } from '../statistics/retention.ts'
import { databaseStatistics } from '../statistics/database.ts'
import { insertTestLink, readLink, storedClick, storedClicksOf } from '../testing.ts'
import type { Ingest } from './ingest.ts'
import { testSpool } from './spool.testing.ts'

const NOON = Date.UTC(2026, 10, 15, 12)
const DAY = Date.UTC(2026, 10, 15)
const FLOOD = 60_000

/** A click whose texts are all new and as long as the spool allows. */
const distinct = (linkUuid: string, n: number): Click => {
  // A byte that is not UTF-8 takes three bytes of a query, and three of a batch.
  const value = `${n}${n % 2 === 0 ? '%FF'.repeat(58) : 'v'.repeat(170)}`
  return testClickOf(linkUuid, {
    atMs: NOON + n,
    address: `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`,
    referrer: `https://${String(n).padStart(60, 'r')}.example/`,
    utmQuery: `utm_source=${value}&utm_medium=${value}&utm_campaign=${value}`,
  })
}

function frameOf(payload: Buffer): Buffer {
  const bytes = Buffer.alloc(FRAME_HEADER_BYTES + payload.length)
  payload.copy(bytes, FRAME_HEADER_BYTES)
  sealFrame(bytes, payload.length)
  return bytes
}

/** A click record with fields that no visit writes. */
const brokenRecord = (linkUuid: string): fc.Arbitrary<Buffer> =>
  fc
    .record({
      at: fc.constantFrom('', '-1', '9e99', '8640000000000001', 'NaN', '1.5', String(NOON)),
      kind: fc.constantFrom('', 'x', '\0', 'constructor', 'l'),
      uuid: fc.constantFrom(
        '',
        '\0',
        `${linkUuid}\0`,
        linkUuid.slice(1),
        `'; drop table links; --`,
        '\xff\xfe',
      ),
      rest: fc.uint8Array({ maxLength: 2_000 }),
    })
    .map(({ at, kind, uuid, rest }) =>
      Buffer.concat([Buffer.from([at, kind, uuid].join('\x01'), 'latin1'), Buffer.from([1]), rest]),
    )

/** A click of a visitor who chooses every header; it counts whatever the headers contain. */
const oddClick = (linkUuid: string): fc.Arbitrary<Click> => {
  const text = fc.oneof(
    fc.string({ unit: 'binary-ascii', maxLength: 40 }),
    fc.constantFrom('%00'.repeat(150), '%FF%FE%ED%A0%80', 'v'.repeat(2_000), '=&%', '\xa0\xff', ';q=;q=,,'),
  )
  // No HTTP header has control characters.
  const header = text.map((value) => value.replaceAll(/\p{Cc}/gu, '.'))
  return fc
    .record({ userAgent: header, referrer: header, language: header, query: header, address: header })
    .map(({ userAgent, referrer, language, query, address }) =>
      testClickOf(linkUuid, {
        limited: true,
        userAgent,
        referrer: `https://${referrer}`,
        acceptLanguage: language,
        utmQuery: `utm_source=${query}&utm_campaign=${query}`,
        address,
      }),
    )
}

forEachDatabase((engine, _open, databases) => {
  const spooled = testSpool(databases)

  /** Merges the batches of every day that is over. */
  const mergeAll = async (ingest: Ingest): Promise<void> => {
    while (await ingest.mergeDays());
  }
  const statistics = () => databaseStatistics(spooled.db, undefined)
  const setAside = () =>
    spooled.db.sql
      .selectFrom('set_aside_clicks')
      .select(['workspace_uuid', 'day', 'clicks', 'reason'])
      .execute()
  const openBatches = async (workspaceUuid: string): Promise<unknown[]> =>
    spooled.db.sql
      .selectFrom('click_batches')
      .select('id')
      .where('workspace_uuid', '=', workspaceUuid)
      .where('open_day', 'is not', null)
      .execute()

  test('a flood of distinct values is counted, its day is merged, and others are counted meanwhile', async () => {
    const [flooded, other] = [await insertTestLink(spooled.db), await insertTestLink(spooled.db)]
    const clicks = Array.from({ length: FLOOD }, (_, n) => distinct(flooded.uuid, n))
    await spooled.spoolAndDie([...clicks, testClickOf(other.uuid)], 500)
    const ingest = spooled.reader()
    await ingest.drain()
    expect(ingest.counts).toMatchObject({ counted: FLOOD + 1, setAside: 0, damagedBytes: 0 })
    expect((await readLink(spooled.db, flooded.uuid)).clicks).toBe(FLOOD)
    expect((await readLink(spooled.db, other.uuid)).clicks).toBe(1)
    await mergeAll(ingest)
    expect(spooled.oddities).toEqual([])
    for (const { workspace_uuid: workspaceUuid } of [flooded, other]) {
      expect(await openBatches(workspaceUuid)).toEqual([])
      const { totals } = await statistics().figures({
        workspaceUuid,
        scope: undefined,
        retainedFromMs: 0,
        fromMs: DAY,
        toMs: DAY + DAY_MS - 1,
        previousFromMs: undefined,
        interval: 'day',
        timezone: 'UTC',
        by: ['utm_source'],
        filters: new Map(),
        bot: undefined,
      })
      const expected = workspaceUuid === flooded.workspace_uuid ? FLOOD : 1
      expect([totals.clicks, totals.uniques]).toEqual([expected, expected])
    }
    const kept = await storedClicksOf(spooled.db, flooded.workspace_uuid, flooded.uuid)
    expect(new Set(kept.map(({ utm_campaign }) => utm_campaign)).size).toBe(FLOOD)
  })

  test('random bytes, broken records and odd headers: every valid click is counted', async () => {
    const link = await insertTestLink(spooled.db)
    const part = fc.oneof(
      fc.array(oddClick(link.uuid), { maxLength: 20 }).map((clicks) => ({
        valid: clicks.length,
        bytes: frameOf(Buffer.from(clicks.map(encodeClick).join(''), 'latin1')),
      })),
      fc.array(brokenRecord(link.uuid), { minLength: 1, maxLength: 5 }).map((records) => {
        const lines = records.map((record) => record.filter((byte) => byte !== 0x0a))
        const good = Buffer.from(encodeClick(testClickOf(link.uuid)), 'latin1')
        const payload = lines.flatMap((line) => [Buffer.from(line), Buffer.from('\n'), good])
        return { valid: records.length, bytes: frameOf(Buffer.concat(payload)) }
      }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => ({ valid: 0, bytes: Buffer.from(bytes) })),
    )
    let expected = 0
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 8 }), async (parts) => {
        mkdirSync(spooled.folder, { recursive: true })
        // An empty frame would end the file.
        const written = parts.filter(({ bytes }) => bytes.length !== FRAME_HEADER_BYTES)
        const bytes = Buffer.concat([FILE_HEADER, ...written.map((one) => one.bytes)])
        writeFileSync(join(spooled.folder, spoolFileName(randomUUID(), 1)), bytes)
        for (const { valid } of written) expected += valid
        await spooled.reader().drain()
        expect((await readLink(spooled.db, link.uuid)).clicks).toBe(expected)
        expect(readdirSync(spooled.folder)).toEqual([])
      }),
      { numRuns: 40 },
    )
    expect(expected).toBeGreaterThan(100)
    expect(await spooled.rawClicks(link.uuid)).toBe(expected)
    await mergeAll(spooled.reader())
    expect(await openBatches(link.workspace_uuid)).toEqual([])
  })

  test('counts a click with unreadable headers or address as unknown', async () => {
    const link = await insertTestLink(spooled.db)
    const countryOf = (address: string): string => {
      if (address === '192.0.2.66') throw new TypeError('no such node')
      return 'GB'
    }
    const fields = [{ address: '192.0.2.66' }, { address: '192.0.2.67' }]
    await spooled.spoolAndDie(fields.map((one) => testClickOf(link.uuid, one)))
    await spooled.reader({ countryOf }).drain()
    const kept = await storedClicksOf(spooled.db, link.workspace_uuid, link.uuid)
    expect(kept.map(({ country, browser }) => [country, browser])).toEqual([
      ['', ''],
      ['GB', 'Chrome'],
    ])
  })

  test('sets aside only the clicks that the database rejects, and logs one line', async () => {
    const [poisoned, other] = [await insertTestLink(spooled.db), await insertTestLink(spooled.db)]
    await rejectTexts('poison')
    const clicks = Array.from({ length: 200 }, (_, n) =>
      testClickOf(n % 2 === 0 ? poisoned.uuid : other.uuid, {
        variant: n === 42 || n === 130 ? `poison${n}` : 'a',
      }),
    )
    await spooled.spoolAndDie(clicks, 50)
    const ingest = spooled.reader()
    await ingest.drain()
    await allowTexts()
    expect(ingest.counts).toMatchObject({ counted: 198, setAside: 2, dropped: 0 })
    expect((await readLink(spooled.db, poisoned.uuid)).clicks).toBe(98)
    expect((await readLink(spooled.db, other.uuid)).clicks).toBe(100)
    expect(spooled.oddities).toHaveLength(1)
    expect(spooled.oddities[0]).toContain('2 clicks')
    expect(await setAside()).toEqual([
      {
        workspace_uuid: poisoned.workspace_uuid,
        day: DAY,
        clicks: 2,
        reason: expect.stringContaining('poison'),
      },
    ])
    expect(readdirSync(spooled.folder)).toEqual([])
    while (await spooled.db.write(() => statistics().forget(poisoned.workspace_uuid)));
    expect(await setAside()).toEqual([])
  })

  test('sets an unreadable batch aside and merges its day and other days', async () => {
    const [damaged, other] = [await insertTestLink(spooled.db), await insertTestLink(spooled.db)]
    const write = async (uuid: string, atMs: number): Promise<void> => {
      const file = spoolFileName(randomUUID(), 1)
      await spooled.store.position(file)
      await spooled.store.write({ file, from: 0, to: 1, clicks: [storedClick(uuid, atMs)] })
    }
    await write(damaged.uuid, NOON - 5 * DAY_MS)
    await change(
      sql`update click_batches set data = ${randomBytes(40)} where workspace_uuid = ${damaged.workspace_uuid}`,
    )
    await write(damaged.uuid, NOON - 5 * DAY_MS)
    await write(other.uuid, NOON)
    const ingest = spooled.reader()
    await mergeAll(ingest)
    expect([await openBatches(damaged.workspace_uuid), await openBatches(other.workspace_uuid)]).toEqual([
      [],
      [],
    ])
    expect(await spooled.rawClicks(damaged.uuid)).toBe(1)
    expect(await setAside()).toMatchObject([{ workspace_uuid: damaged.workspace_uuid, clicks: 1 }])
    expect([ingest.counts.setAside, spooled.oddities.length]).toEqual([1, 1])
    await sweepClicks(spooled.db, statistics(), { nowMs: NOON + 10 * DAY_MS, retentionDays: 1 })
    expect(await setAside()).toEqual([])
  })

  test('sets an unreadable file aside and reads the others', async () => {
    const link = await insertTestLink(spooled.db)
    const name = spoolFileName('00000000-0000-0000-0000-000000000000', 1)
    mkdirSync(join(spooled.folder, name), { recursive: true })
    await spooled.spoolAndDie([testClickOf(link.uuid)])
    const ingest = spooled.reader()
    await ingest.drain()
    expect((await readLink(spooled.db, link.uuid)).clicks).toBe(1)
    for (let n = 0; n < 20; n++) await ingest.step()
    expect([ingest.counts.setAside, spooled.oddities.length]).toEqual([1, 1])
    expect(readdirSync(spooled.folder)).toEqual([`${name}.unreadable`])
  })

  const change = (statement: ReturnType<typeof sql.raw>) =>
    spooled.db.write(() => statement.execute(spooled.db.sql))
  /** Makes the database reject batches that contain this text. */
  const rejectTexts = (text: string) =>
    change(
      sql.raw(
        engine === 'sqlite'
          ? `create trigger rejecting before insert on click_batches
              when instr(new.data, cast('${text}' as blob)) > 0 begin select raise(abort, '${text}'); end`
          : `alter table click_batches add constraint ${text} check (position('${text}'::bytea in data) = 0) not valid`,
      ),
    )
  const allowTexts = () =>
    change(
      sql.raw(
        engine === 'sqlite' ? 'drop trigger rejecting' : 'alter table click_batches drop constraint poison',
      ),
    )
})
