// What PostgreSQL and Redis cost beside the embedded stack, and what a process for every core brings. Needs wrk and
// redis-server; PostgreSQL comes with npm.
//
//   npm run -s node bench/cluster.ts                  about ten minutes
//   ROUNDS=1 SECONDS=2 LINKS=100000 CLICKS=100000 npm run -s node bench/cluster.ts
//
// All servers run all the while and are asked in turn, each once the clicks of the last have been counted, so that
// whatever else the machine does meets all alike; the middle of all rounds counts. Each is the whole product as
// `npm start` starts it. Processor time is that of the server and its workers with counting, without PostgreSQL and Redis.
import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { ClickStore } from '../packages/server/src/clicks/counting/click-store.ts'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { openPostgresStore } from '../packages/server/src/clicks/counting/postgres-store.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { startRedis } from '../scripts/services/redis.ts'
import { codeOf, fillLinks, untilCounted } from './support/links.ts'
import { everyLinkScript, exactly, load } from './support/load.ts'
import type { Load } from './support/load.ts'
import { fillPostgres } from './support/postgres-links.ts'
import { type Contestant, inRounds, type Measured } from './support/rounds.ts'
import { startBare, startWaymark } from './support/servers.ts'
import type { Running } from './support/servers.ts'
import { traffic } from './support/traffic.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 5)
const links = Number(process.env['LINKS'] ?? 1_000_000)
const clicks = Number(process.env['CLICKS'] ?? 500_000)
/** A process for each core, as `WORKERS=auto` starts. */
const many = Math.max(2, availableParallelism())
const words = (count: number): string => Math.round(count).toLocaleString('en')

const root = mkdtempSync(join(tmpdir(), 'waymark-cluster-'))
const embeddedDir = join(root, 'embedded')
// The test's own settings do without flushing to disk; these are measured as a server that keeps its promises.
const postgres = await startPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' })
const redis = await startRedis()
const servers: Record<string, Running> = {}
try {
  console.log(
    `${words(links)} links, ${rounds} rounds of ${seconds} s, ${availableParallelism()} cores for servers, ` +
      `databases and the load itself`,
  )
  await fillLinks(embeddedDir, links)
  await fillPostgres(postgres.url, links)
  const shared = { DATABASE_URL: postgres.url, REDIS_URL: redis.url, SECRET_KEY: 'x'.repeat(32) }
  servers['bare'] = await startBare()
  servers['embedded, 1 process'] = await startWaymark(embeddedDir)
  servers[`embedded, ${many} processes`] = await startWaymark(embeddedDir, { WORKERS: String(many) })
  servers['PostgreSQL + Redis, 1 process'] = await startWaymark(join(root, 'one'), shared)
  servers[`PostgreSQL + Redis, ${many} processes`] = await startWaymark(join(root, 'many'), {
    ...shared,
    WORKERS: String(many),
  })
  const hit = await compare(() => ({ connections: 64, seconds, path: `/${codeOf(1)}` }))
  report('cache hit, 64 connections, clicks durable', hit, 'aim 0.9 with one process')
  let begin = 0
  const miss = await compare(() => {
    begin += 3
    return { connections: 64, seconds, path: '/', script: everyLinkScript(links, begin) }
  })
  report(`cache miss, ${words(links)} links`, miss)
  await checkClicks(servers[`PostgreSQL + Redis, ${many} processes`])
  await stopServers()
  await measureIngest()
} finally {
  await stopServers()
  await Promise.all([postgres.stop(), redis.stop()])
  rmSync(root, { recursive: true, force: true })
}

/** The ingest is measured without them. */
async function stopServers(): Promise<void> {
  for (const [name, server] of Object.entries(servers)) {
    delete servers[name]
    await server.stop()
  }
}

async function compare(what: () => Load): Promise<Record<string, Measured>> {
  for (const server of Object.values(servers)) await load(server.url, { ...what(), seconds: 1 })
  await caughtUp()
  const contestants = Object.entries(servers).map(([name, server]): [string, Contestant] => [
    name,
    {
      server,
      get load() {
        return what()
      },
      settle: caughtUp,
    },
  ])
  return inRounds(rounds, Object.fromEntries(contestants))
}

function report(what: string, seen: Record<string, Measured>, aim?: string): void {
  const bare = seen['bare']
  console.log(`\n${what}${aim === undefined ? '' : ` (${aim})`}\n`)
  console.log('| | /s | of bare | µs, serving | µs, all threads | bare / ours, serving |')
  console.log('|---|---|---|---|---|---|')
  for (const [name, { perSecond, serving, all, errors }] of Object.entries(seen)) {
    const cells = [
      name + (errors > 0 ? `, ${errors} ERRORS` : ''),
      words(perSecond),
      (perSecond / (bare?.perSecond ?? Number.NaN)).toFixed(2),
      serving.toFixed(1),
      all.toFixed(1),
      ((bare?.serving ?? Number.NaN) / serving).toFixed(2),
    ]
    console.log(`| ${cells.join(' | ')} |`)
  }
  for (const stack of ['embedded', 'PostgreSQL + Redis']) {
    const [one, all] = [seen[`${stack}, 1 process`], seen[`${stack}, ${many} processes`]]
    const ratio = (all?.perSecond ?? Number.NaN) / (one?.perSecond ?? Number.NaN)
    console.log(`${stack}: ${many} processes are ${ratio.toFixed(2)} times one (aim 1.7 where cores allow)`)
  }
}

/** An exact number of visits of one link: the database must have neither more nor fewer clicks of it. */
async function checkClicks(server: Running | undefined): Promise<void> {
  if (server === undefined) return
  const before = await clicksOf(codeOf(2))
  const answered = await exactly(`${server.url}/${codeOf(2)}`, 20_000, 64)
  await caughtUp()
  const counted = (await clicksOf(codeOf(2))) - before
  const verdict = counted === answered ? 'equal' : 'NOT EQUAL'
  console.log(`\nclicks in PostgreSQL: ${counted} for ${answered} redirects: ${verdict}`)
  if (counted !== answered) process.exitCode = 1
}

async function clicksOf(code: string): Promise<number> {
  const client = new Client({ connectionString: postgres.url })
  await client.connect()
  try {
    const { rows } = await client.query<{ clicks: string }>(
      'select clicks from links where short_code = $1',
      [code],
    )
    return Number(rows[0]?.clicks)
  } finally {
    await client.end()
  }
}

/** Until no spool has anything left: what one server has still to count must not be measured with the next. */
async function caughtUp(): Promise<void> {
  await Promise.all(['embedded', 'one', 'many'].map((name) => untilCounted(join(root, name))))
}

async function measureIngest(): Promise<void> {
  console.log(`\nclicks from the spool into the database, ${words(clicks)} of them`)
  const stores: [string, () => ClickStore][] = [
    ['embedded', () => openSqliteStore(join(embeddedDir, 'waymark.db'))],
    ['PostgreSQL', () => openPostgresStore(postgres.url, console.error)],
  ]
  const rates: number[] = []
  for (const [name, open] of stores) {
    const rate = await ingestRate(join(root, `spool-${name}`), open())
    rates.push(rate)
    console.log(`  ${name}: ${words(rate)} a second`)
  }
  console.log(`  PostgreSQL is ${((rates[1] ?? 0) / (rates[0] ?? 1)).toFixed(2)} of embedded`)
}

async function ingestRate(folder: string, store: ClickStore): Promise<number> {
  const owner = crypto.randomUUID()
  const spool = new Spool({ folder, owner })
  const next = traffic(10_000, clicks / 2)
  const now = Date.now()
  for (let i = 0; i < clicks; i++) {
    spool.append(next(now + Math.floor(i / 20)))
    if (i % 1_000 === 0) await new Promise<void>((resolve) => spool.afterWrite(resolve))
  }
  spool.close()
  const countryOf = openCountries()
  const ingest = new Ingest({ folder, owner, store, countryOf, now: Date.now, onOddity: console.log })
  const startedAt = performance.now()
  await ingest.drain()
  const rate = (ingest.counts.counted * 1_000) / (performance.now() - startedAt)
  await store.close()
  spool.release()
  return rate
}
