import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DAY_MS, HOUR_MS } from '../../work/times.ts'
import type { Database } from '../../storage/db/database.ts'
import { openDatabase } from '../../storage/db/open.ts'
import { forEachDatabase } from '../../storage/db/testing.ts'
import type { ClickStore } from '../counting/click-store.ts'
import type { EnrichedClick } from '../counting/enrich.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { closeOldestDay, enrichedClick, insertTestLink, openTestStore } from '../testing.ts'
import { FORM, packContents, seasonOf, unpackContents } from '../weeks/week.ts'
import { createClickEraser } from './erasure.ts'
import { sweepClicks } from './retention.ts'
import { readStats } from './read-stats.ts'
import type { StatsQuery } from './stats-query.ts'
import { openTimeZone } from './time-zone.ts'

const MONDAY = Date.UTC(2026, 10, 2)
const WEEK_MS = 7 * DAY_MS
const LINKS = 60
/** A little more than is worth adding up. */
const CLICKS_A_WEEK = 1_100

forEachDatabase((engine, _open, databases) => {
  let db: Database
  let store: ClickStore

  beforeAll(async () => {
    const place = await databases.place()
    db = await openDatabase(place)
    store = openTestStore(place)
  })
  afterAll(async () => {
    await store.close()
    await db.close()
  })

  /** An account with many links and two weeks of clicks, not closed yet. */
  async function newAccount() {
    const first = await insertTestLink(db)
    const userId = first.workspace_uuid
    const uuids = [first.uuid]
    while (uuids.length < LINKS) uuids.push((await insertTestLink(db, { workspace_uuid: userId })).uuid)
    const clicks = Array.from({ length: 2 * CLICKS_A_WEEK }, (_, n): EnrichedClick =>
      enrichedClick(uuids[(n * 7) % LINKS]!, MONDAY + Math.floor((n / CLICKS_A_WEEK) * WEEK_MS), {
        visitor: n % 50,
        country: ['DE', 'FR', ''][n % 3]!,
        bot: n % 11 === 0,
        scanned: n % 5 === 0,
      }),
    )
    await count(clicks)
    return { userId, uuids }
  }

  async function count(clicks: readonly EnrichedClick[]): Promise<void> {
    const file = randomUUID()
    await store.position(file)
    await store.write({ file, from: 0, to: 1, clicks })
  }

  async function closeAll(): Promise<void> {
    while (await closeOldestDay(store, MONDAY + 10 * WEEK_MS));
  }

  async function sumAll(): Promise<void> {
    while (await store.sumWeek());
  }

  const weeksOf = async (userId: string): Promise<number> => {
    const rows = await db.sql
      .selectFrom('click_weeks')
      .select('week')
      .where('user_key', '=', scopeKey(userId))
      .where('part', '=', 'contents')
      .execute()
    return rows.length
  }

  /** How many links the season has. */
  const keysOf = async (userId: string): Promise<number> => {
    const rows = await db.sql
      .selectFrom('season_links')
      .select('keys')
      .where('user_key', '=', scopeKey(userId))
      .execute()
    return rows.reduce((sum, { keys }) => sum + keys.length / 8, 0)
  }

  /** Whole weeks, parts of them, and days that begin in the middle of a day of UTC. */
  const questions: Partial<StatsQuery>[] = [
    { by: 'country' },
    { by: 'source', interval: 'week' },
    { by: 'hour_of_week', zone: openTimeZone('Europe/Berlin') },
    { by: undefined, zone: openTimeZone('Asia/Kolkata') },
    { by: 'device', zone: openTimeZone('Asia/Kolkata') },
    { by: 'country', interval: 'week', zone: openTimeZone('America/Los_Angeles') },
    { by: 'country', fromMs: MONDAY + 3 * DAY_MS, toMs: MONDAY + 10 * DAY_MS - 1 },
    { by: undefined, fromMs: MONDAY + 3 * DAY_MS, toMs: MONDAY + 10 * DAY_MS - 1 },
    { by: 'country', interval: 'hour', fromMs: MONDAY + 5 * HOUR_MS, toMs: MONDAY + 9 * DAY_MS + HOUR_MS },
  ]

  const ask = ({ userId, uuids }: { userId: string; uuids: string[] }, fields: Partial<StatsQuery> = {}) =>
    Promise.all(
      // Many links and one that is not theirs; then so few that days that are in no week come from `click_days`; then so
      // few that weeks are only used if they are in memory.
      [[...uuids.slice(0, -1), randomUUID()], uuids.slice(10, 30), uuids.slice(3, 5)].flatMap((scope) =>
        questions.map((question) =>
          readStats(db, {
            userId,
            scope,
            fromMs: MONDAY - DAY_MS,
            toMs: MONDAY + 3 * WEEK_MS,
            interval: 'day',
            by: undefined,
            ...question,
            ...fields,
          }),
        ),
      ),
    )

  test('weeks that were added up give what the clicks give, and go on giving it', async () => {
    const account = await newAccount()
    const open = await ask(account)
    expect(open[0]?.totals.clicks).toBeGreaterThan(1_900)
    await closeAll()
    expect(await ask(account)).toEqual(open)
    expect(await weeksOf(account.userId)).toBe(0)
    await sumAll()
    expect(await weeksOf(account.userId)).toBe(2)
    expect(await ask(account)).toEqual(open)
    // When single clicks are gone, they are all there is, with the days.
    await sweepClicks(db, { nowMs: MONDAY + 9 * DAY_MS, retentionDays: 1 })
    const keptFromMs = MONDAY + 8 * DAY_MS
    const [whole] = await ask(account, { keptFromMs })
    expect(whole).toEqual(open[0])
    expect((await ask(account, { keptFromMs }))[3]).toEqual(open[3])
  })

  test('a click that arrives after its week was added up counts at once, and is added up with it', async () => {
    const account = await newAccount()
    await closeAll()
    await sumAll()
    // The first click on a link: its season does not know it yet.
    account.uuids.unshift((await insertTestLink(db, { workspace_uuid: account.userId })).uuid)
    const before = await ask(account)
    await count([enrichedClick(account.uuids[0]!, MONDAY + DAY_MS, { visitor: 99, country: 'AT' })])
    const late = await ask(account)
    expect(late[0]?.totals.clicks).toBe((before[0]?.totals.clicks ?? 0) + 1)
    expect(late[0]?.breakdown).toContainEqual({ value: 'AT', clicks: 1 })
    await closeAll()
    // The sums lack it: its week is gone through.
    expect(await ask(account)).toEqual(late)
    await sumAll()
    expect(await ask(account)).toEqual(late)
  })

  test('a question about other links reads the weeks of the one before from memory', async () => {
    const account = await newAccount()
    const askOthers = () =>
      Promise.all(
        [account.uuids.slice(20, 40), account.uuids.slice(40, 41)].map((scope) =>
          readStats(db, {
            userId: account.userId,
            scope,
            fromMs: MONDAY - DAY_MS,
            toMs: MONDAY + 3 * WEEK_MS,
            interval: 'day',
            by: 'country',
          }),
        ),
      )
    const expected = await askOthers()
    await closeAll()
    await sumAll()
    await ask(account)
    await db.write(async () => {
      const ofAccount = scopeKey(account.userId)
      await db.sql
        .deleteFrom('click_weeks')
        .where('user_key', '=', ofAccount)
        .where('part', '!=', 'contents')
        .execute()
      await db.sql.deleteFrom('click_batches').where('user_key', '=', ofAccount).execute()
      await db.sql.deleteFrom('click_days').where('user_key', '=', ofAccount).execute()
    })
    expect(await askOthers()).toEqual(expected)
  })

  test('weeks that are written in another way are not read', async () => {
    const account = await newAccount()
    const open = await ask(account)
    await closeAll()
    await sumAll()
    const rows = db.sql.selectFrom('click_weeks').select(['week', 'data']).where('part', '=', 'contents')
    for (const { week, data } of await rows.where('user_key', '=', scopeKey(account.userId)).execute()) {
      const other = packContents({ ...unpackContents(data), form: FORM + 1 })
      await db.write(() =>
        db.sql
          .updateTable('click_weeks')
          .set({ data: other })
          .where('user_key', '=', scopeKey(account.userId))
          .where('week', '=', week)
          .execute(),
      )
    }
    expect(await ask(account)).toEqual(open)
  })

  test('a day of which clicks are gone is not added up from what is left', async () => {
    const account = await newAccount()
    await closeAll()
    const [before] = await ask(account)
    await sweepClicks(db, { nowMs: MONDAY + 3 * DAY_MS, retentionDays: 1 })
    await count([enrichedClick(account.uuids[0]!, MONDAY + DAY_MS, { visitor: 99, country: 'AT' })])
    await closeAll()
    await sumAll()
    const [after] = await ask(account, { keptFromMs: MONDAY + 2 * DAY_MS })
    expect(after?.totals.clicks).toBe((before?.totals.clicks ?? 0) + 1)
  })

  test('sums that were made without the links another process has numbered meanwhile are not kept', async () => {
    const account = await newAccount()
    const open = await ask(account)
    await closeAll()
    const [inserted, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const keys = new Uint8Array(Float64Array.of(12_345).buffer)
    const other = db.write(async () => {
      await db.sql
        .insertInto('season_links')
        .values({ user_key: scopeKey(account.userId), season: seasonOf(MONDAY), keys })
        .execute()
      inserted.resolve()
      await ended.promise
    })
    await inserted.promise
    // With SQLite no other write begins before the end; with PostgreSQL the sums are made and wait for it.
    const summing = engine === 'postgres' ? store.sumWeek() : undefined
    if (engine === 'postgres')
      await vi.waitFor(
        async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'`.execute(db.sql)
          expect(rows).toHaveLength(1)
        },
        { timeout: 20_000 },
      )
    ended.resolve()
    await Promise.all([other, summing])
    expect(await weeksOf(account.userId)).toBe(0)
    await sumAll()
    expect([await weeksOf(account.userId), await keysOf(account.userId)]).toEqual([2, LINKS + 1])
    expect(await ask(account)).toEqual(open)
  })

  test('erasing a user erases the weeks as well', async () => {
    const [mine, theirs] = [await newAccount(), await newAccount()]
    await closeAll()
    await sumAll()
    const erase = createClickEraser(db, 100, 1)
    while (await db.write(() => erase(mine.userId)));
    expect([await weeksOf(mine.userId), await weeksOf(theirs.userId)]).toEqual([0, 2])
    expect([await keysOf(mine.userId), await keysOf(theirs.userId)]).toEqual([0, LINKS])
  })
})
