import { join } from 'node:path'
import { newBatchId } from '../../packages/server/src/clicks/batches/batch-id.ts'
import { packClicks } from '../../packages/server/src/clicks/batches/batch.ts'
import type { KeptClick } from '../../packages/server/src/clicks/batches/kept-click.ts'
import { openPostgresStore } from '../../packages/server/src/clicks/counting/postgres/store.ts'
import { scopeKey } from '../../packages/server/src/clicks/counting/scope-key.ts'
import { openSqliteStore } from '../../packages/server/src/clicks/counting/sqlite/store.ts'
import { closeOldestDay } from '../../packages/server/src/clicks/testing.ts'
import { DAY_MS } from '../../packages/server/src/work/times.ts'
import type { Database } from '../../packages/server/src/storage/db/database.ts'
import { uuidOf } from './links.ts'
import { randomNumbers } from './traffic.ts'

export const YEAR_TO_MS = Date.UTC(2026, 10, 15) - 1
export const YEAR_FROM_MS = YEAR_TO_MS + 1 - 365 * DAY_MS
const BATCH_CLICKS = 50_000

export interface YearOfClicks {
  readonly db: Database
  /** Of PostgreSQL; without it the database is the one in the folder. */
  readonly url: string | undefined
  readonly dataDir: string
  readonly userId: string
  readonly clicks: number
  readonly links: number
}

/** Writes a year of clicks as counting leaves them, a day in a few rows, and adds them up as a server does. */
export async function fillYear({ db, url, dataDir, userId, clicks, links }: YearOfClicks): Promise<void> {
  const random = randomNumbers(7)
  const perDay = Math.ceil(clicks / 365)
  const userKey = scopeKey(userId)
  for (let day = YEAR_FROM_MS; day < YEAR_TO_MS; day += DAY_MS) {
    for (let done = 0; done < perDay; done += BATCH_CLICKS) {
      const count = Math.min(BATCH_CLICKS, perDay - done)
      const some = Array.from({ length: count }, (_, at) =>
        oneClick(random, links, day + Math.floor(((done + at) / perDay) * DAY_MS)),
      )
      const row = { user_key: userKey, day, id: newBatchId(), open_day: day, clicks: count }
      await db.write(() =>
        db.sql
          .insertInto('click_batches')
          .values({ ...row, data: packClicks(some, day) })
          .execute(),
      )
    }
  }
  const store =
    url === undefined
      ? openSqliteStore(join(dataDir, 'waymark.db'))
      : openPostgresStore(url, (error) => console.error(error))
  const begin = performance.now()
  while (await closeOldestDay(store, YEAR_TO_MS + DAY_MS));
  const closedAt = performance.now()
  while (await store.sumWeek());
  const each = (ms: number): string => ((ms * 1_000) / clicks).toFixed(1)
  console.log(
    `adding up closed days: ${each(closedAt - begin)} µs a click, weeks: ${each(performance.now() - closedAt)}`,
  )
  await store.close()
}

function oneClick(random: () => number, links: number, atMs: number): KeptClick {
  const rank = (count: number): number => Math.max(0, Math.floor(count ** random()) - 1)
  return {
    atMs,
    kind: 'link',
    resourceUuid: uuidOf(rank(links)),
    detail: '',
    country: `C${rank(120)}`,
    referrer: random() < 0.6 ? '' : `site-${rank(200)}.example`,
    device: ['mobile', 'desktop', 'tablet'][rank(3)] ?? '',
    browser: `B${rank(15)}`,
    system: `S${rank(8)}`,
    language: `l${rank(40)}`,
    utm_source: random() < 0.7 ? '' : `source-${rank(20)}`,
    utm_medium: '',
    utm_campaign: random() < 0.8 ? '' : `campaign-${rank(50)}`,
    variant: '',
    rule: '',
    bot: random() < 0.05,
    firstOfResource: random() < 0.5,
    firstOfUser: random() < 0.4,
    scanned: random() < 0.1,
  }
}
