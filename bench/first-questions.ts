// How long the first question about clicks takes after a start, through the API of the server as it is released. Needs
// about 1 GB of disk and ten minutes, nearly all of them to write ten million clicks.
//
//   npm run -s node bench/first-questions.ts
//   CLICKS=1000000 STARTS=1 npm run -s node bench/first-questions.ts
//   BENCH_DIR=../first-questions npm run -s node bench/first-questions.ts     keeps the clicks for the next run
//   DATABASE_URL=postgres://… npm run -s node bench/first-questions.ts        an empty database of PostgreSQL
//
// Each start answers one kind of question: about a year, then the same again, then about another set of links. A list of
// links is requested before, so that no connection or signature is the first. STARTS is how often each kind is tried;
// WAIT is how many seconds after the start. Beside each time: what the host took of it for other machines.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { get } from '../e2e/support/requests.ts'
import { type Account, startWaymark } from '../e2e/support/waymark.ts'
import { chunksOf } from '../packages/server/src/storage/db/chunks.ts'
import type { Database } from '../packages/server/src/storage/db/database.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { fillLinks, uuidOf } from './support/links.ts'
import { fillPostgres } from './support/postgres-links.ts'
import './support/released.ts'
import { fillYear, YEAR_FROM_MS, YEAR_TO_MS } from './support/year-of-clicks.ts'

const clicks = Number(process.env['CLICKS'] ?? 10_000_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const starts = Number(process.env['STARTS'] ?? 3)
const waitSeconds = Number(process.env['WAIT'] ?? 6)
const AIM_MS = 50

const url = process.env['DATABASE_URL']
const kept = process.env['BENCH_DIR']
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'waymark-first-')) : resolve(kept)
const dataDir = join(folder, 'data')
const settings = {
  DATA_DIR: dataDir,
  ...(url !== undefined && { DATABASE_URL: url, SECRET_KEY: 'k'.repeat(64) }),
}
const accountFile = join(folder, 'account.json')
const program = { node: process.execPath, launcher: process.env['WAYMARK_LAUNCHER'] ?? '' }

const linksFrom = (first: number): string =>
  `&uuid=${Array.from({ length: 20 }, (_, at) => uuidOf(first + at)).join(',')}`
/** The first question of each kind, and one about another set. */
const kinds: Readonly<Record<string, readonly [string, string]>> = {
  account: ['', linksFrom(100)],
  'one link': [`&uuid=${uuidOf(0)}`, `&uuid=${uuidOf(1)}`],
  '20 links': [linksFrom(0), linksFrom(100)],
  [`a tag of ${links / 2} links`]: ['&tag=half', linksFrom(100)],
  [`a tag of ${links} links`]: ['&tag=all', '&tag=half'],
  [`a domain of ${links} links`]: ['&domain=localhost', '&tag=half'],
}

try {
  if (!existsSync(accountFile)) await fill()
  const account = JSON.parse(readFileSync(accountFile, 'utf8')) as Account
  for (let round = 0; round < starts; round++) {
    for (const [kind, [question, another]] of Object.entries(kinds)) {
      const server = await startWaymark(settings, program)
      await delay(waitSeconds * 1_000)
      await ask(server.url, account, '/v1/links')
      const first = await ask(server.url, account, yearOf(question))
      const again = await ask(server.url, account, yearOf(question))
      const other = await ask(server.url, account, yearOf(another))
      await server.end()
      console.log(`${kind}: ${first} (aim ${AIM_MS} ms); the same again ${again}; another ${other}`)
    }
  }
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true, force: true })
}

function yearOf(query: string): string {
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10)
  const period = `from=${day(YEAR_FROM_MS)}&to=${day(YEAR_TO_MS)}`
  return `/v1/analytics?${period}&by=country${query}`
}

/** How long an answer took, in words. */
async function ask(url: string, account: Account, target: string): Promise<string> {
  const [begin, taken] = [performance.now(), takenByHostMs()]
  const { status, body } = await get({ url }, account, target)
  const ms = performance.now() - begin
  if (status !== 200) throw new Error(`${target}: ${status} ${JSON.stringify(body)}`)
  return `${ms.toFixed(0)} ms (host ${takenByHostMs() - taken})`
}

/** Processor time that other machines on the host had, of all cores, in steps of ten milliseconds. */
function takenByHostMs(): number {
  return 10 * Number(/^cpu +(?:\d+ ){7}(\d+)/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? 0)
}

/** An account that has signed up, with links, two tags and a year of clicks. */
async function fill(): Promise<void> {
  mkdirSync(dataDir, { recursive: true })
  const server = await startWaymark(settings, program)
  const account = await server.account()
  await server.end()
  const db = await openDatabase({ url, dataDir })
  const users = db.sql.selectFrom('users').select('uuid').where('email', '=', account.email)
  const { uuid: userId } = await users.executeTakeFirstOrThrow()
  if (url === undefined) await fillLinks(dataDir, links, userId)
  else await fillPostgres(url, links, userId)
  await tagLinks(db, userId)
  await fillYear({ db, url, dataDir, userId, clicks, links })
  await db.close()
  writeFileSync(accountFile, JSON.stringify(account))
}

/** All of them with one tag, every second one with another. */
async function tagLinks(db: Database, userId: string): Promise<void> {
  const tagged = Array.from({ length: links }, (_, number) => ({
    user_uuid: userId,
    link_uuid: uuidOf(number),
  }))
  const rows = [
    ...tagged.map((row) => ({ ...row, tag: 'all' })),
    ...tagged.filter((_, number) => number % 2 === 0).map((row) => ({ ...row, tag: 'half' })),
  ]
  for (const some of chunksOf(rows, 1_000))
    await db.write(() => db.sql.insertInto('link_tags').values(some).execute())
}
