// What clicks cost at rest: a year of clicks of one account over many links, on SQLite. Clicks are spooled day by day, counted
// and merged by the code of the server, then statistics of the whole year are read. Needs about 1 GB of disk. With CLICKS_URL
// clicks are sent to an empty database of ClickHouse instead of being merged, and statistics are read there.
//
//   npm run -s node bench/statistics.ts                            ten million clicks: half an hour
//   CLICKS=1000000 LINKS=10000 npm run -s node bench/statistics.ts
//   CLICKS_URL=http://user:password@127.0.0.1:8123/database npm run -s node bench/statistics.ts
//
// "before" is what the design with two roll-ups took, measured with a million clicks over 10,000 links.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { openStatistics } from '../packages/server/src/clicks/statistics/open.ts'
import type { FiguresQuery } from '../packages/server/src/clicks/statistics/statistics.ts'
import { openClickHouse } from '../packages/server/src/clicks/clickhouse/client.ts'
import { ClickHouseLease } from '../packages/server/src/clicks/clickhouse/lease.ts'
import { ClickSender } from '../packages/server/src/clicks/clickhouse/sender.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { DAY_MS } from '../packages/server/src/work/times.ts'
import { printTable } from '../scripts/release-checks/table.ts'
import { BENCH_USER, fillLinks, uuidOf } from './support/links.ts'
import { median } from './support/load.ts'
import { traffic } from './support/traffic.ts'

const clicks = Number(process.env['CLICKS'] ?? 10_000_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const TO_MS = Date.UTC(2026, 10, 1)
const FROM_MS = TO_MS - 365 * DAY_MS
const SAMPLE_MS = 20

const clicksUrl = process.env['CLICKS_URL']
const log = { info: () => undefined, warn: (_fields: unknown, text?: string) => console.warn(text) }

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-statistics-'))
const file = join(dataDir, 'waymark.db')
const table: string[][] = []
try {
  await fillLinks(dataDir, links)
  await count()
  await ask()
  console.log(
    `${clicks.toLocaleString('en')} clicks over ${links.toLocaleString('en')} links in ${clicksUrl === undefined ? 'SQLite' : 'ClickHouse'}; load ${loadavg()[0]?.toFixed(1)}\n`,
  )
  printTable(['', 'before', 'after', 'order of magnitude'], table)
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function count(): Promise<void> {
  const before = statSync(file).size
  const store = openSqliteStore(file)
  const db = await openDatabase({ url: undefined, dataDir })
  const lease = new ClickHouseLease(db)
  const clickhouse = clicksUrl === undefined ? undefined : openClickHouse(clicksUrl)
  const sender = clickhouse && new ClickSender({ db, clickhouse, lease, log, sweep: () => Promise.resolve() })
  const countryOf = openCountries()
  const next = traffic(links, clicks / 2)
  const perDay = Math.ceil(clicks / 365)
  let [counting, closing, counted] = [0, 0, 0]
  for (let day = FROM_MS; day < TO_MS; day += DAY_MS) {
    const folder = join(dataDir, 'counted-spool')
    const owner = crypto.randomUUID()
    const spool = new Spool({ folder, owner })
    for (let at = 0; at < perDay; at++) {
      spool.append(next(day + Math.floor((at * DAY_MS) / perDay)))
      if (at % 1_000 === 0) await new Promise<void>((resolve) => spool.afterWrite(resolve))
    }
    spool.close()
    const now = (): number => day + 3 * DAY_MS
    const ingest = new Ingest({ folder, owner, store, countryOf, now, onOddity: console.log })
    counting += await processorTime(() => ingest.drain())
    closing += await processorTime(async () => {
      if (sender === undefined) while (await ingest.mergeDays());
      else while ((await lease.exclusively(() => sender.sendSome())) === true);
    })
    counted += ingest.counts.counted
    spool.release()
  }
  store.emptyLog()
  await store.close()
  await lease.close()
  await db.close()
  const each = (microseconds: number): string => `${(microseconds / counted).toFixed(1)} µs`
  const [parts] = (await clickhouse?.rows<{ bytes: number }>(
    `select sum(bytes_on_disk) as bytes from system.parts
      where database = currentDatabase() and table = 'clicks' and active`,
  )) ?? [{ bytes: statSync(file).size - before }]
  const second = clickhouse === undefined ? 'closing a day' : 'sending, without ClickHouse itself'
  table.push(
    ['counting, processor time a click', '7 µs', each(counting), ''],
    [`${second}, processor time a click`, '28 to 36 µs', each(closing), ''],
    ['both', '35 to 43 µs', each(counting + closing), '20 µs'],
    ['bytes a click', '133', ((parts?.bytes ?? 0) / counted).toFixed(1), '60'],
  )
}

async function ask(): Promise<void> {
  const db = await openDatabase({ url: undefined, dataDir })
  const inClickHouse = clicksUrl === undefined ? undefined : { url: clicksUrl, retentionDays: 365, log }
  const statistics = openStatistics(db, dataDir, inClickHouse)
  const year: FiguresQuery = {
    workspaceUuid: BENCH_USER,
    scope: undefined,
    retainedFromMs: 0,
    fromMs: FROM_MS,
    toMs: TO_MS - 1,
    previousFromMs: undefined,
    interval: 'day',
    timezone: 'UTC',
    by: ['country'],
    filters: new Map(),
    bot: undefined,
  }
  const filters: FiguresQuery['filters'] = new Map([
    ['country', new Set(['DE', 'US'])],
    ['device', new Set(['mobile', 'desktop'])],
  ])
  const half = Array.from({ length: links / 2 }, (_, number) => uuidOf(number * 2))
  const questions: [what: string, aimMs: number, query: FiguresQuery][] = [
    ['account by country', 1_000, year],
    [
      'account by hour of the week, Asia/Kolkata',
      1_000,
      { ...year, by: ['hour_of_week'], timezone: 'Asia/Kolkata' },
    ],
    ['one link by referrer', 1_000, { ...year, scope: [uuidOf(0)], by: ['referrer'] }],
    ['a tag on half of the links by country', 1_000, { ...year, scope: half }],
    ['account, two filters, by browser', 3_000, { ...year, filters, by: ['browser'] }],
    [
      'a tag on half of the links, two filters, by browser',
      3_000,
      { ...year, scope: half, filters, by: ['browser'] },
    ],
  ]
  try {
    for (const [what, aimMs, query] of questions) await report(what, aimMs, () => statistics.figures(query))
    const before = statSync(file).size
    const spent = await processorTime(() => statistics.dropBefore(TO_MS))
    const mb = (bytes: number): string => (bytes / 1e6).toFixed(0)
    table.push([
      'sums of the year after the retention, processor time a click',
      '',
      `${(spent / clicks).toFixed(1)} µs; database ${mb(before)} MB, then ${mb(statSync(file).size)} MB`,
      '',
    ])
    await report('account by country, from sums', 1_000, () => statistics.figures(year))
  } finally {
    await statistics.close()
    await db.close()
  }
}

async function report(
  what: string,
  aimMs: number,
  read: () => Promise<{ totals: { clicks: number; uniques: number } }>,
): Promise<void> {
  const times: number[] = []
  const spent: number[] = []
  let found = { clicks: 0, uniques: 0 }
  const before = process.memoryUsage.rss()
  let most = before
  const sampling = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), SAMPLE_MS)
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    spent.push(
      await processorTime(async () => {
        found = (await read()).totals
      }),
    )
    times.push(performance.now() - begin)
  }
  clearInterval(sampling)
  const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0)
  table.push([
    `${what}; ${found.clicks.toLocaleString('en')} clicks, ${found.uniques.toLocaleString('en')} visitors`,
    '',
    `${median(times).toFixed(0)} ms (${(median(spent) / 1_000).toFixed(0)} ms of processor time, ${mb(most)} MB)`,
    `${aimMs} ms, 200 MB`,
  ])
}

/** Microseconds of this process, its threads included. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
