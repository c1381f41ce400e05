// What counting a click costs: from the spool into the database, spread over many links of one account.
//
//   npm run -s node bench/counting.ts                            SQLite
//   DATABASE_URL=postgres://… npm run -s node bench/counting.ts  an empty database of PostgreSQL
//   CLICKS=100000 LINKS=10000 ROUNDS=3 npm run -s node bench/counting.ts
//
// Processor time is that of the counting process; PostgreSQL's own comes on top, and its rate says what that is.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCountries } from '../packages/server/src/clicks/facts/countries.ts'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { openPostgresStore } from '../packages/server/src/clicks/counting/postgres/store.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite/store.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { fillLinks } from './support/links.ts'
import { median } from './support/load.ts'
import { fillPostgres } from './support/postgres-links.ts'
import { traffic } from './support/traffic.ts'

const clicks = Number(process.env['CLICKS'] ?? 200_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const url = process.env['DATABASE_URL']

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-counting-'))
try {
  if (url === undefined) await fillLinks(dataDir, links)
  else await fillPostgres(url, links)
  const costs: number[] = []
  const rates: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { each, perSecond } = await count(round)
    costs.push(each)
    rates.push(perSecond)
  }
  const runs = costs.map((each) => each.toFixed(1)).join(', ')
  const engine = url === undefined ? 'SQLite' : 'PostgreSQL'
  console.log(
    `${engine}, ${links.toLocaleString('en')} links: ${median(costs).toFixed(1)} µs a click (${runs}), ${Math.round(median(rates)).toLocaleString('en')} a second; load ${loadavg()[0]?.toFixed(1)}`,
  )
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}

async function count(round: number): Promise<{ each: number; perSecond: number }> {
  const folder = join(dataDir, 'counted-spool')
  const owner = crypto.randomUUID()
  const spool = new Spool({ folder, owner })
  const next = traffic(links, clicks / 2, round)
  const now = Date.now()
  for (let i = 0; i < clicks; i++) {
    spool.append(next(now + Math.floor(i / 20)))
    if (i % 1_000 === 0) await new Promise<void>((resolve) => spool.afterWrite(resolve))
  }
  spool.close()
  const store =
    url === undefined
      ? openSqliteStore(join(dataDir, 'waymark.db'))
      : openPostgresStore(url, (error) => console.error(error))
  const ingest = new Ingest({
    folder,
    owner,
    store,
    countryOf: openCountries(),
    now: Date.now,
    onOddity: console.log,
  })
  const begin = performance.now()
  const before = process.cpuUsage()
  await ingest.drain()
  const { user, system } = process.cpuUsage(before)
  const { counted } = ingest.counts
  const perSecond = (counted * 1_000) / (performance.now() - begin)
  await store.close()
  spool.release()
  return { each: (user + system) / counted, perSecond }
}
