// What counting a click costs: from the spool into the database, spread over many links of one account.
//
//   npm run -s node bench/counting.ts                            SQLite
//   ENGINE=postgres npm run -s node bench/counting.ts            PostgreSQL, started for it
//   WRITER=1 npm run -s node bench/counting.ts                   SQLite, and how long another writer waits meanwhile
//   CLICKS=100000 LINKS=10000 ROUNDS=3 npm run -s node bench/counting.ts
//
// Processor time is that of the counting process, and beside it that of its connection's process in PostgreSQL.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import type { ClickStore } from '../packages/server/src/clicks/counting/click-store.ts'
import { openPostgresStore } from '../packages/server/src/clicks/counting/postgres-store.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { fillLinks } from './support/links.ts'
import { median } from './support/load.ts'
import { LockWaits } from './support/lock-waits.ts'
import { fillPostgres } from './support/postgres-links.ts'
import { processorTime } from './support/processor-time.ts'
import { traffic } from './support/traffic.ts'

const clicks = Number(process.env['CLICKS'] ?? 200_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const rounds = Number(process.env['ROUNDS'] ?? 5)
// Settings of a server that keeps its promises, unlike those of the tests.
const postgres =
  process.env['ENGINE'] === 'postgres'
    ? await startPostgres({ fsync: 'on', full_page_writes: 'on', shared_buffers: '256MB' })
    : undefined
const url = await postgres?.createDatabase()

const waits: number[] = []

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-counting-'))
try {
  if (url === undefined) await fillLinks(dataDir, links)
  else await fillPostgres(url, links)
  // One for all rounds, as in a server: after a start it reads back the visits of the day.
  const store =
    url === undefined
      ? openSqliteStore(join(dataDir, 'waymark.db'))
      : openPostgresStore(url, (error) => console.error(error))
  const seen: Counted[] = []
  for (let round = 0; round < rounds; round++) seen.push(await count(store, round))
  await store.close()
  const middle = (name: keyof Counted): number => median(seen.map((round) => round[name]))
  const runs = seen.map(({ each }) => each.toFixed(1)).join(', ')
  const engine =
    url === undefined ? 'SQLite' : `PostgreSQL, ${middle('inDatabase').toFixed(1)} µs in the database beside`
  console.log(
    `${engine}, ${links.toLocaleString('en')} links: ${middle('each').toFixed(1)} µs a click (${runs}), ${Math.round(middle('perSecond')).toLocaleString('en')} a second; load ${loadavg()[0]?.toFixed(1)}`,
  )
  if (waits.length > 0) console.log(waitsText(waits))
} finally {
  await postgres?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

interface Counted {
  /** Microseconds of processor time a click, of this process and of the one in PostgreSQL. */
  readonly each: number
  readonly inDatabase: number
  readonly perSecond: number
}

async function count(store: ClickStore, round: number): Promise<Counted> {
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
  const ingest = new Ingest({
    folder,
    owner,
    store,
    countryOf: openCountries(),
    now: Date.now,
    onOddity: console.log,
  })
  // Connects.
  await store.position(`warm-up-${round}`)
  const server = await databaseProcess()
  const inDatabase = server === undefined ? 0 : processorTime(server).all
  const writer =
    url === undefined && process.env['WRITER'] === '1'
      ? new LockWaits(join(dataDir, 'waymark.db'))
      : undefined
  const begin = performance.now()
  const before = process.cpuUsage()
  await ingest.drain()
  const { user, system } = process.cpuUsage(before)
  const { counted } = ingest.counts
  const perSecond = (counted * 1_000) / (performance.now() - begin)
  const spent = server === undefined ? 0 : processorTime(server).all - inDatabase
  waits.push(...((await writer?.end()) ?? []))
  spool.release()
  return { each: (user + system) / counted, inDatabase: spent / counted, perSecond }
}

function waitsText(all: readonly number[]): string {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): string => sorted[Math.floor((sorted.length - 1) * share)]!.toFixed(1)
  return `another writer waited ${at(0.5)} ms (median), ${at(0.99)} ms (slowest hundredth), ${at(1)} ms at most`
}

/** The process that PostgreSQL has for the store's connection. */
async function databaseProcess(): Promise<number | undefined> {
  if (url === undefined) return undefined
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name = 'waymark clicks' and datname = current_database()`,
    )
    return rows[0]?.pid
  } finally {
    await client.end()
  }
}
