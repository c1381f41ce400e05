// How long statistics take over a year of clicks of one account. Needs about 1 GB of disk.
// Clicks are written in the form that counting leaves, a row of packed clicks for each 50,000 of a day, and added up by
// the same code as on a server. Of many links the first run adds up the weeks of each; later ones find the sums in memory.
//
//   npm run -s node bench/analytics.ts                            ten million clicks, SQLite
//   DATABASE_URL=postgres://… npm run -s node bench/analytics.ts  an empty database of PostgreSQL
//   CLICKS=1000000 LINKS=1000 npm run -s node bench/analytics.ts
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readStats } from '../packages/server/src/clicks/statistics/read-stats.ts'
import type { StatsQuery } from '../packages/server/src/clicks/statistics/stats-query.ts'
import { openTimeZone } from '../packages/server/src/clicks/statistics/time-zone.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { BENCH_USER, uuidOf } from './support/links.ts'
import { median } from './support/load.ts'
import { fillYear, YEAR_FROM_MS as fromMs, YEAR_TO_MS as toMs } from './support/year-of-clicks.ts'

const clicks = Number(process.env['CLICKS'] ?? 10_000_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const url = process.env['DATABASE_URL']

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-analytics-'))
const db = await openDatabase({ url, dataDir })
try {
  await fillYear({ db, url, dataDir, userId: BENCH_USER, clicks, links })
  const scopeOf = (count: number) => Array.from({ length: count }, (_, number) => uuidOf(number))
  const whole = { userId: BENCH_USER, scope: undefined, fromMs, toMs, interval: 'day' } as const
  const filters = new Map([
    ['country', new Set(['C1', 'C2'])],
    ['browser', new Set(['B1'])],
    ['device', new Set(['mobile', 'desktop'])],
  ] as const)
  await report('account by country', 50, { ...whole, by: 'country' })
  await report('account by hour of week, Europe/Berlin', 50, {
    ...whole,
    by: 'hour_of_week',
    zone: openTimeZone('Europe/Berlin'),
  })
  await report('account by day, Asia/Kolkata', 50, {
    ...whole,
    by: undefined,
    zone: openTimeZone('Asia/Kolkata'),
  })
  await report('busiest link by referrer', 50, { ...whole, scope: scopeOf(1), by: 'referrer' })
  await report('20 links by country', 50, { ...whole, scope: scopeOf(20), by: 'country' })
  await report('50 links by country', 50, { ...whole, scope: scopeOf(50), by: 'country' })
  await report('100 links by country', 50, { ...whole, scope: scopeOf(100), by: 'country' })
  await report(`a tag on all ${links} links`, 50, { ...whole, scope: scopeOf(links), by: 'country' })
  await report('a tag on 5,000 links, by day in Asia/Kolkata', 50, {
    ...whole,
    scope: scopeOf(5_000),
    by: undefined,
    zone: openTimeZone('Asia/Kolkata'),
  })
  await report('three filters, by system', 2_000, { ...whole, filters, by: 'system' })
  await report('three filters, one link', 2_000, { ...whole, filters, scope: scopeOf(1), by: 'system' })
} finally {
  await db.close()
  rmSync(dataDir, { recursive: true, force: true })
}

async function report(what: string, aimMs: number, query: StatsQuery): Promise<void> {
  const times: number[] = []
  const processor: number[] = []
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    const before = process.cpuUsage()
    found = (await readStats(db, query)).totals.clicks
    times.push(performance.now() - begin)
    const { user, system } = process.cpuUsage(before)
    processor.push((user + system) / 1_000)
  }
  const list = (all: readonly number[]): string => all.map((ms) => ms.toFixed(0)).join(', ')
  console.log(
    `${what}: ${median(times).toFixed(0)} ms (aim ${aimMs}; ${list(times)}; processor ${list(processor)}), ${found.toLocaleString('en')} clicks; load ${loadavg()[0]?.toFixed(1)}`,
  )
}
