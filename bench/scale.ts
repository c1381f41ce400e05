// Whether it stays as fast when it gets large. Needs wrk, about 8 GB of disk and half an hour.
//
//   npm run -s node bench/scale.ts
//   SIZES=10000,100000 CLICKS=200000 ROUNDS=2 SECONDS=2 npm run -s node bench/scale.ts
//
// BENCH_DIR keeps the filled databases for the next run. Sizes are measured in turn within each round; the middle
// of all rounds counts.
import { createReadStream, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { testTools } from '../packages/server/src/visitors/links/target.testing.ts'
import { openLookup } from '../packages/server/src/visitors/links/open-lookup.ts'
import { codeOf, fillLinks } from './support/links.ts'
import { everyLinkScript, load, median } from './support/load.ts'
import { startMisses } from './support/servers.ts'
import { randomNumbers, traffic } from './support/traffic.ts'

const sizes = (process.env['SIZES'] ?? '10000,1000000,10000000').split(',').map(Number)
const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 5)
const clicks = Number(process.env['CLICKS'] ?? 1_000_000)
const LOOKUPS = 100_000

const kept = process.env['BENCH_DIR']
const root = kept ?? mkdtempSync(join(tmpdir(), 'waymark-scale-'))
const folderOf = (size: number): string => join(root, `links-${size}`)
const words = (count: number): string => count.toLocaleString('en')

try {
  for (const size of sizes) {
    mkdirSync(folderOf(size), { recursive: true })
    await fillLinks(folderOf(size), size)
    await readThrough(join(folderOf(size), 'waymark.db'))
    console.log(`filled: ${words(size)} links`)
  }
  reportBySize('look-up of a code, microseconds', await measureLookups())
  reportBySize('redirect on a miss, microseconds', await measureRedirects())
  for (const across of [1, 10_000]) await measureIngest(across)
} finally {
  if (kept === undefined) rmSync(root, { recursive: true, force: true })
}

/** What is measured is the work, not the disk: the file should be in the system's memory before. */
async function readThrough(file: string): Promise<void> {
  for await (const _ of createReadStream(file, { highWaterMark: 4 * 1024 * 1024 }));
}

function reportBySize(what: string, costs: Map<number, number[]>): void {
  const middle = sizes.map((size) => median(costs.get(size) ?? []))
  const list = sizes.map((size, at) => `${words(size)}: ${middle[at]?.toFixed(1)}`).join(', ')
  const growth = (middle.at(-1) ?? 0) / (middle[0] ?? 1)
  console.log(`${what} — ${list}; ${growth.toFixed(2)} times from smallest to largest (aim 1.5)`)
}

async function measureLookups(): Promise<Map<number, number[]>> {
  const costs = new Map(sizes.map((size) => [size, [] as number[]]))
  const opened = await Promise.all(
    sizes.map((size) => openDatabase({ url: undefined, dataDir: folderOf(size) })),
  )
  const random = randomNumbers(7)
  for (let round = 0; round < rounds; round++) {
    sizes.forEach((size, at) => {
      const lookup = openLookup(opened[at]!, () => '', testTools)
      const begin = performance.now()
      for (let i = 0; i < LOOKUPS; i++) lookup.find('', codeOf(Math.floor(random() * size)), () => undefined)
      costs.get(size)?.push(((performance.now() - begin) * 1_000) / LOOKUPS)
    })
  }
  await Promise.all(opened.map((db) => db.close()))
  return costs
}

async function measureRedirects(): Promise<Map<number, number[]>> {
  const costs = new Map(sizes.map((size) => [size, [] as number[]]))
  const servers = await Promise.all(sizes.map((size) => startMisses(folderOf(size))))
  for (let round = 0; round < rounds; round++) {
    for (const [at, size] of sizes.entries()) {
      const script = everyLinkScript(size, round)
      const { perSecond } = await load(servers[at]!.url, { connections: 64, seconds, path: '/', script })
      costs.get(size)?.push(1_000_000 / perSecond)
    }
  }
  await Promise.all(servers.map((server) => server.stop()))
  return costs
}

/** Clicks of one link share nearly everything that is written; those of many links share little. */
async function measureIngest(across: number): Promise<void> {
  const dataDir = folderOf(sizes[Math.min(1, sizes.length - 1)] ?? 0)
  const folder = join(dataDir, 'ingest-spool')
  const owner = crypto.randomUUID()
  const spool = new Spool({ folder, owner })
  const next = traffic(across, clicks / 2)
  const now = Date.now()
  for (let i = 0; i < clicks; i++) {
    spool.append(next(now + Math.floor(i / 20)))
    if (i % 1_000 === 0) await new Promise<void>((resolve) => spool.afterWrite(resolve))
  }
  spool.close()
  const store = openSqliteStore(join(dataDir, 'waymark.db'))
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
  const perSecond = (ingest.counts.counted * 1_000) / (performance.now() - begin)
  const { user, system } = process.cpuUsage(before)
  const each = ((user + system) / ingest.counts.counted).toFixed(1)
  await store.close()
  spool.release()
  const rate = `${words(Math.round(perSecond))} a second (aim 50,000)`
  const what = across === 1 ? 'one link' : `${words(across)} links`
  console.log(`clicks of ${what} into the database: ${rate}, ${each} microseconds of processor each`)
}
