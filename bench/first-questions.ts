// How long the first question about clicks takes after a start, through the API of the server as it is released. Needs
// about 1 GB of disk and ten minutes, nearly all of them to write ten million clicks.
//
//   npm run -s node bench/first-questions.ts
//   CLICKS=1000000 STARTS=1 npm run -s node bench/first-questions.ts
//   BENCH_DIR=../first-questions npm run -s node bench/first-questions.ts    keeps the clicks for the next run
//
// Each start answers one kind of question: about a year, then the same again, then about another set of links. A list of
// links is requested before, so that no connection or signature is the first. STARTS is how often each kind is tried;
// WAIT is how many seconds after the start. Beside each time: what the host took of it for other machines.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import BetterSqlite from 'better-sqlite3'
import { get } from '../e2e/support/requests.ts'
import { type Account, startWaymark } from '../e2e/support/waymark.ts'
import { openDatabase } from '../packages/server/src/storage/db/open.ts'
import { fillLinks, uuidOf } from './support/links.ts'
import './support/released.ts'
import { fillYear, YEAR_FROM_MS, YEAR_TO_MS } from './support/year-of-clicks.ts'

const clicks = Number(process.env['CLICKS'] ?? 10_000_000)
const links = Number(process.env['LINKS'] ?? 10_000)
const starts = Number(process.env['STARTS'] ?? 3)
const waitSeconds = Number(process.env['WAIT'] ?? 6)
const AIM_MS = 50

const kept = process.env['BENCH_DIR']
const folder = kept === undefined ? mkdtempSync(join(tmpdir(), 'waymark-first-')) : resolve(kept)
const dataDir = join(folder, 'data')
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
}

try {
  if (!existsSync(accountFile)) await fill()
  const account = JSON.parse(readFileSync(accountFile, 'utf8')) as Account
  for (let round = 0; round < starts; round++) {
    for (const [kind, [question, another]] of Object.entries(kinds)) {
      const server = await startWaymark({ DATA_DIR: dataDir }, program)
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
  const server = await startWaymark({ DATA_DIR: dataDir }, program)
  const account = await server.account()
  await server.end()
  const userId = idOf(account)
  await fillLinks(dataDir, links, userId)
  tagLinks(userId)
  const db = await openDatabase({ url: undefined, dataDir })
  await fillYear({ db, url: undefined, dataDir, userId, clicks, links })
  await db.close()
  writeFileSync(accountFile, JSON.stringify(account))
}

function idOf({ email }: Account): string {
  const db = new BetterSqlite(join(dataDir, 'waymark.db'), { readonly: true })
  const found = db.prepare<[string], { uuid: string }>('select uuid from users where email = ?').get(email)
  db.close()
  return found?.uuid ?? ''
}

function tagLinks(userId: string): void {
  const db = new BetterSqlite(join(dataDir, 'waymark.db'))
  const tag = db.prepare('insert into link_tags (user_uuid, tag, link_uuid) values (?, ?, ?)')
  db.transaction(() => {
    for (let number = 0; number < links; number++) {
      tag.run(userId, 'all', uuidOf(number))
      if (number % 2 === 0) tag.run(userId, 'half', uuidOf(number))
    }
  })()
  db.close()
}
