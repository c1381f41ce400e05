// How long a search over many links of one account takes: the request that the dashboard sends while a search is typed,
// from the list of links to the exact total, without HTTP. Each search is made in the state and the orders that the
// dashboard offers.
//
//   npm run -s node bench/search.ts                            100,000 links, SQLite and PostgreSQL
//   LINKS=1000000 ROUNDS=5 ENGINE=sqlite npm run -s node bench/search.ts
//
// The aim is 200 ms for each. Every run is printed.
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createLinkStore } from '../packages/server/src/modules/links/links.store.ts'
import { listWindow, wholeCount } from '../packages/server/src/modules/owned/listing.ts'
import type { Database } from '../packages/server/src/storage/db/database.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { startPostgres } from '../scripts/services/postgres.ts'
import { BENCH_USER, codeOf, uuidOf } from './support/links.ts'
import { median } from './support/load.ts'

const links = Number(process.env['LINKS'] ?? 100_000)
const rounds = Number(process.env['ROUNDS'] ?? 7)
const engines = process.env['ENGINE'] === undefined ? ['sqlite', 'postgres'] : [process.env['ENGINE']]
const AIM_MS = 200
/** As many as the dashboard shows on a page. */
const PAGE_SIZE = 50
/** SQLite takes 32,766 values in a statement. */
const AT_ONCE = 2_000

const searches = {
  'one link, the oldest': codeOf(0),
  'a word of one link in ten': 'autumn',
  'a word of the oldest tenth': 'attic',
  'a word of every link': 'example',
  'a word of none': 'nowhere-to-be-found',
  'one letter': 'e',
  'a word in Greek, of one link in ten': 'ΦΘΙΝΌΠΩΡΟ',
}

const windows = [
  { sort: 'created_at', order: 'desc', state: 'active' },
  { sort: 'created_at', order: 'asc', state: undefined },
  { sort: 'clicks', order: 'desc', state: 'active' },
  { sort: 'last_click_at', order: 'desc', state: 'expired' },
] as const
type Window = (typeof windows)[number]

for (const engine of engines) {
  const postgres = engine === 'postgres' ? await startPostgres() : undefined
  const dataDir = mkdtempSync(join(tmpdir(), 'waymark-search-'))
  // Its connections end with the server, which need not be reported.
  const db = await openDatabase({ url: await postgres?.createDatabase(), dataDir, report: () => undefined })
  try {
    await fill(db)
    // What autovacuum does by itself after a while.
    if (engine === 'postgres') await sql`analyze`.execute(db.sql)
    console.log(`${engine}, ${links.toLocaleString('en')} links; load ${loadavg()[0]?.toFixed(1)}`)
    for (const [what, search] of Object.entries(searches)) {
      console.log(`  ${what}`)
      for (const window of windows) await measure(db, search, window)
    }
  } finally {
    await db.close()
    await postgres?.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function fill(database: Database): Promise<void> {
  await database.write(() =>
    sql`insert into workspaces (uuid, name, plan, plan_started_at, created_at, updated_at)
      values (${BENCH_USER}, 'bench', 'free', 0, 0, 0)`.execute(database.sql),
  )
  for (let from = 0; from < links; from += AT_ONCE) {
    const rows = Array.from({ length: Math.min(AT_ONCE, links - from) }, (_, at) => {
      const number = from + at
      const title = number % 10 === 0 ? `Autumn sale (φθινόπωρο) ${number}` : `Page ${number}`
      const place = number < links / 10 ? 'attic' : 'page'
      const url = `https://example.com/some/${place}?number=${number}`
      // As if at random: the order by clicks has nothing to do with the order of creation.
      const clicks = (number * 7_919) % 10_007
      return sql`(${uuidOf(number)}, ${BENCH_USER}, '', ${codeOf(number)}, ${url}, ${title}, 0, 302, ${clicks}, 0,
        ${clicks}, 0, 0)`
    })
    await database.write(() =>
      sql`insert into links (uuid, workspace_uuid, domain, short_code, url, title, custom, redirect, clicks, bot_clicks,
        last_click_at, created_at, updated_at) values ${sql.join(rows)}`.execute(database.sql),
    )
  }
}

async function measure(
  database: Database,
  search: string,
  { sort, order, state: is }: Window,
): Promise<void> {
  const store = createLinkStore(database)
  const times: number[] = []
  let found = 0
  for (let round = 0; round < rounds; round++) {
    const begin = performance.now()
    const state = is && { is, nowMs: Date.now() }
    const window = { ...listWindow({ search, limit: PAGE_SIZE }, { sort, order }), tag: undefined, state }
    const rows = await store.list(BENCH_USER, window)
    found = wholeCount(rows, window) ?? (await store.count(BENCH_USER, window))
    times.push(performance.now() - begin)
  }
  const runs = times.map((ms) => ms.toFixed(0)).join(', ')
  const what = `by ${sort} ${order}, ${is ?? 'all'}`
  console.log(
    `    ${what}: ${median(times).toFixed(0)} ms (aim ${AIM_MS}; ${runs}), ${found.toLocaleString('en')} found`,
  )
}
