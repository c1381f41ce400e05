// What clicks cost at rest: a year of clicks of one account over many links, on SQLite. Clicks are spooled day by day, counted
// and merged by the code of the server, then statistics of the whole year are read. Needs about 1 GB of disk.
//
//   npm run -s node bench/statistics.ts                            ten million clicks: half an hour
//   CLICKS=1000000 LINKS=10000 npm run -s node bench/statistics.ts
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { openCountries } from '../packages/server/src/clicks/facts/countries.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { openStatistics } from '../packages/server/src/clicks/statistics/open.ts'
import type { FiguresQuery } from '../packages/server/src/clicks/statistics/statistics.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { DAY_MS } from '../packages/server/src/work/times.ts'
import { BENCH_USER, fillLinks, uuidOf } from './support/links.ts'
import { median } from './support/load.ts'
import { traffic } from './support/traffic.ts'

const clicks = Number(process.env['CLICKS'] ?? 10_000_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const TO_MS = Date.UTC(2026, 10, 1)
const FROM_MS = TO_MS - 365 * DAY_MS
const SAMPLE_MS = 20

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-statistics-'))
const file = join(dataDir, 'waymark.db')
try {
  await fillLinks(dataDir, links)
  await count()
  await ask()
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function count(): Promise<void> {
  const before = statSync(file).size
  const store = openSqliteStore(file)
  const countryOf = openCountries()
  const next = traffic(links, clicks / 2)
  const perDay = Math.ceil(clicks / 365)
  let [counting, merging, counted] = [0, 0, 0]
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
    merging += await processorTime(async () => {
      while (await ingest.mergeDays());
    })
    counted += ingest.counts.counted
    spool.release()
  }
  store.emptyLog()
  await store.close()
  const each = (microseconds: number): string => (microseconds / counted).toFixed(1)
  const bytes = (statSync(file).size - before) / counted
  console.log(`${counted.toLocaleString('en')} clicks over ${links.toLocaleString('en')} links`)
  console.log(
    `counting and merging: ${each(counting + merging)} µs of processor time a click (counting ${each(counting)}, merging ${each(merging)}; aim 20), ${bytes.toFixed(1)} bytes a click (aim 60); load ${loadavg()[0]?.toFixed(1)}`,
  )
}

async function ask(): Promise<void> {
  const db = await openDatabase({ url: undefined, dataDir })
  const statistics = openStatistics(db, dataDir)
  const year: FiguresQuery = {
    workspaceUuid: BENCH_USER,
    scope: undefined,
    keptFromMs: 0,
    fromMs: FROM_MS,
    toMs: TO_MS - 1,
    interval: 'day',
    timezone: 'UTC',
    by: 'country',
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
      { ...year, by: 'hour_of_week', timezone: 'Asia/Kolkata' },
    ],
    ['one link by referrer', 1_000, { ...year, scope: [uuidOf(0)], by: 'referrer' }],
    ['a tag on half of the links by country', 1_000, { ...year, scope: half }],
    ['account, two filters, by browser', 3_000, { ...year, filters, by: 'browser' }],
    [
      'a tag on half of the links, two filters, by browser',
      3_000,
      { ...year, scope: half, filters, by: 'browser' },
    ],
  ]
  try {
    for (const [what, aimMs, query] of questions) await report(what, aimMs, () => statistics.figures(query))
    const before = statSync(file).size
    const spent = await processorTime(() => statistics.dropBefore(TO_MS))
    console.log(
      `sums of the year: ${(spent / clicks).toFixed(1)} µs a click; the file has ${(before / 1e6).toFixed(0)} MB before, ${(statSync(file).size / 1e6).toFixed(0)} after, free pages included`,
    )
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
  const all = times.map((ms) => ms.toFixed(0)).join(', ')
  const mb = (bytes: number): string => (bytes / 1024 / 1024).toFixed(0)
  console.log(
    `${what}: ${median(times).toFixed(0)} ms (aim ${aimMs}; ${all}), ${(median(spent) / 1_000).toFixed(0)} ms of processor time, process ${mb(most)} MB at most (${mb(before)} before), ${found.clicks.toLocaleString('en')} clicks, ${found.uniques.toLocaleString('en')} visitors; load ${loadavg()[0]?.toFixed(1)}`,
  )
}

/** Microseconds of this process, its threads included. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
