// What the indexes behind `sort=clicks` and `sort=last_click_at` cost the counting of clicks, and what they give.
//
//   npm run -s node bench/list-indexes.ts
//   LINKS=1000000 CLICKS=200000 ROUNDS=3 ENGINE=postgres npm run -s node bench/list-indexes.ts
//
// Counts the same clicks with and without the indexes in turn; every run is printed.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { enrichAll } from '../packages/server/src/clicks/counting/click-reader.ts'
import type { ClickStore } from '../packages/server/src/clicks/counting/click-store.ts'
import { openPostgresStore } from '../packages/server/src/clicks/counting/postgres-store.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { createLinkStore } from '../packages/server/src/modules/links/links.store.ts'
import { listWindow } from '../packages/server/src/modules/owned/listing.ts'
import type { Database } from '../packages/server/src/storage/db/database.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { BENCH_USER, uuidOf } from './support/links.ts'
import { median } from './support/load.ts'
import { traffic } from './support/traffic.ts'

const links = Number(process.env['LINKS'] ?? 200_000)
const clicks = Number(process.env['CLICKS'] ?? 100_000)
const rounds = Number(process.env['ROUNDS'] ?? 3)
const postgres = process.env['ENGINE'] === 'postgres' ? await startPostgres() : undefined
const url = await postgres?.createDatabase()
const ACROSS = 10_000
/** As many as the reader of the spool takes at once. */
const BATCH = 5_000

const INDEXES = {
  links_by_clicks: '(workspace_uuid, trashed_at, clicks, uuid)',
  links_by_last_click: '(workspace_uuid, trashed_at, coalesce(last_click_at, 0), uuid)',
}

const dataDir = mkdtempSync(join(tmpdir(), 'waymark-lists-'))
const db = await openDatabase({ url, dataDir })
const openStore = (): ClickStore =>
  url === undefined ? openSqliteStore(join(dataDir, 'waymark.db')) : openPostgresStore(url, console.error)

try {
  await fill(db)
  const costs = { with: [] as number[], without: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    for (const kind of ['with', 'without'] as const) {
      await setIndexes(kind === 'with')
      const cost = await count(round * 2 + (kind === 'with' ? 0 : 1))
      costs[kind].push(cost)
      console.log(`${kind} the indexes: ${cost.toFixed(1)} microseconds a click`)
    }
  }
  const ratio = median(costs.with) / median(costs.without)
  console.log(`counting with the indexes costs ${ratio.toFixed(2)} times as much`)
  await setIndexes(true)
  for (const sort of ['created_at', 'clicks', 'last_click_at']) await measureList(sort)
} finally {
  await db.close()
  await postgres?.stop()
  rmSync(dataDir, { recursive: true, force: true })
}

async function fill(database: Database): Promise<void> {
  await database.write(async () => {
    await sql`insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
      values (${BENCH_USER}, 'bench', 'free', 0, 0, 0)`.execute(database.sql)
  })
  for (let from = 0; from < links; from += 5_000) {
    const rows = Array.from({ length: Math.min(5_000, links - from) }, (_, at) => {
      const uuid = uuidOf(from + at)
      return sql`(${uuid}, ${BENCH_USER}, '', ${uuid}, 'https://example.com/', 0, 302, 0, 0, 0, 0)`
    })
    await database.write(() =>
      sql`insert into links (uuid, workspace_uuid, domain, short_code, url, custom, redirect, clicks, bot_clicks,
        created_at, updated_at) values ${sql.join(rows)}`.execute(database.sql),
    )
  }
}

async function setIndexes(present: boolean): Promise<void> {
  for (const [name, columns] of Object.entries(INDEXES)) {
    await db.write(async () => {
      await sql.raw(`drop index if exists ${name}`).execute(db.sql)
      if (present) await sql.raw(`create index ${name} on links ${columns}`).execute(db.sql)
    })
  }
  if (url !== undefined) await sql`vacuum analyze links`.execute(db.sql)
}

/** Microseconds a click, from enriched clicks to committed rows, in batches as the reader of the spool makes them. */
async function count(seed: number): Promise<number> {
  const next = traffic(Math.min(ACROSS, links), clicks / 2, seed + 1)
  const deps = { countryOf: () => 'DE', saltOf: () => 'salt' }
  const now = Date.now()
  const enriched = enrichAll(
    Array.from({ length: clicks }, (_, i) => next(now + i)),
    deps,
  )
  const store = openStore()
  const file = `bench-${seed}`
  await store.position(file)
  const begin = performance.now()
  const before = process.cpuUsage()
  for (let from = 0; from < clicks; from += BATCH)
    await store.write({ file, from, to: from + BATCH, clicks: enriched.slice(from, from + BATCH) })
  const { user, system } = process.cpuUsage(before)
  const takenUs = (performance.now() - begin) * 1_000
  await store.close()
  // SQLite works in this process, whose own time says more on a busy machine; PostgreSQL does not.
  return (url === undefined ? user + system : takenUs) / clicks
}

async function measureList(sort: string): Promise<void> {
  const store = createLinkStore(db)
  const times: number[] = []
  for (let i = 0; i < 21; i++) {
    const begin = performance.now()
    await store.list(BENCH_USER, { ...listWindow({}, { sort }), tag: undefined, state: undefined })
    times.push(performance.now() - begin)
  }
  console.log(`first page by ${sort} of ${links.toLocaleString('en')} links: ${median(times).toFixed(1)} ms`)
}
