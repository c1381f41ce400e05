// What visitors and other accounts notice of the most expensive requests that one account can send. For each kind: redirects
// every 5 ms from a thread of its own, and beside them a sign-in, a list and a single QR code of another account, one after
// another. Limits: 99 of 100 redirects within 50 ms, none over 250 ms; the others within 2 s.
//
//   npm run -s node bench/untouched.ts                     about eight minutes
//   SECONDS=5 ONLY=audit npm run -s node bench/untouched.ts     only the rows whose name contains a text
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import BetterSqlite from 'better-sqlite3'
import { get, multipart, post } from '../e2e/support/requests.ts'
import { call, newEmail, PASSWORD, Visitor } from '../e2e/support/visitors.ts'
import { type Account, startWaymark } from '../e2e/support/waymark.ts'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { Ingest } from '../packages/server/src/clicks/counting/ingest.ts'
import { openSqliteStore } from '../packages/server/src/clicks/counting/sqlite-store.ts'
import { Spool } from '../packages/server/src/clicks/spool/spool.ts'
import { fillLinks, uuidOf } from './support/links.ts'
import { traffic } from './support/traffic.ts'

const seconds = Number(process.env['SECONDS'] ?? 10)
const only = process.env['ONLY'] ?? ''
const LINKS = 100_000
const ENTRIES = 200_000
const CLICKS = 365_000
const DAY_MS = 86_400_000

const waymark = await startWaymark()
const [busy, owner] = [await waymark.account(), await waymark.account()]
const workspace = await firstWorkspace(busy)
const visited = await post(waymark, owner, '/v1/generate-link', { link: 'https://example.com/' })
const someone = newEmail()
await new Visitor(waymark).signUp(someone)
await waymark.end()
await fill()
await waymark.restart()

const dense = 'https://example.com/'.padEnd(1_200, 'x')
const send = (path: string, body: Record<string, unknown>): Promise<unknown> =>
  post(waymark, busy, path, body)
const read = (path: string): Promise<unknown> => get(waymark, busy, path)
const twice = (path: string): Promise<unknown> => Promise.all([read(path), read(path)])
const hostile = Buffer.concat([Buffer.from('link\n'), Buffer.alloc(30 * 1024 * 1024, 'x,')])

const rows: [string, () => Promise<unknown>][] = [
  ['nothing', () => delay(1_000)],
  ['filtered audit log', () => twice('/v1/audit-log?operation=editLinks&resource=nothing')],
  ['audit log as CSV', () => twice('/v1/audit-log?format=csv')],
  ['two exports of clicks', () => twice('/v1/export-clicks')],
  ['statistics with filters', () => twice('/v1/analytics?country=DE&device=mobile&by=browser')],
  ['search in 100,000 links', () => twice('/v1/links?search=zzzz')],
  ['export of links', () => twice('/v1/export-links')],
  ['the largest codes', () => send('/v1/generate-qr', { url: dense, pattern: 'dots', size: 4000 })],
  [
    '200 dense codes',
    () =>
      send('/v1/generate-codes', {
        qrcodes: Array.from({ length: 200 }, (_, n) => ({
          url: `${dense}${n}${Math.random()}`,
          pattern: 'dots',
        })),
      }),
  ],
  [
    'a hostile import',
    () =>
      post(
        waymark,
        busy,
        '/v1/import-links',
        multipart([{ name: 'file', value: hostile, filename: 'links.csv', type: 'text/csv' }]),
      ),
  ],
  [
    'sign-in attempts',
    () =>
      Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          call(waymark, 'POST', '/v1/sign-in', { body: { email: `a${n}@example.com`, password: PASSWORD } }),
        ),
      ),
  ],
  ['bulk edit of 100,000 links', bulkEdit],
]

const table: string[] = []
for (const [name, work] of rows) if (name.includes(only)) table.push(await measure(name, work))
await waymark.stop()
rmSync(waymark.dataDir, { recursive: true, force: true })
console.log(
  `\n${cpus().length} cores, Node ${process.version}, load ${loadavg()[0]?.toFixed(1)}; milliseconds\n`,
)
console.log('| beside | redirects: half | 99 of 100 | longest | sign-in | list | code | requests |')
console.log('|---|---|---|---|---|---|---|---|')
for (const row of table) console.log(row)

async function firstWorkspace(account: Account): Promise<string> {
  const { body } = await get(waymark, account, '/v1/workspaces')
  return body.data[0].uuid as string
}

/** Repeats the work until the time is over, beside visitors and another account. */
async function measure(name: string, work: () => Promise<unknown>): Promise<string> {
  const workerData = `${waymark.url}/${visited.body.data.code}`
  const worker = new Worker(new URL('support/visit-every.worker.ts', import.meta.url), { workerData })
  await once(worker, 'message')
  const until = performance.now() + seconds * 1_000
  let requests = 0
  const busily = async (): Promise<void> => {
    while (performance.now() < until) {
      await work()
      requests++
    }
  }
  const waits = { signIn: [0], list: [0], code: [0] }
  const timed = async (times: number[], request: () => Promise<unknown>): Promise<void> => {
    const startedAt = performance.now()
    await request()
    times.push(performance.now() - startedAt)
  }
  const besides = async (): Promise<void> => {
    await delay(500)
    while (performance.now() < until) {
      await timed(waits.signIn, () => new Visitor(waymark).signIn(someone))
      await timed(waits.list, () => get(waymark, owner, '/v1/links?search=example'))
      await timed(waits.code, () =>
        post(waymark, owner, '/v1/generate-qr', {
          url: `https://example.com/${Math.random()}`,
          pattern: 'dots',
        }),
      )
      await delay(200)
    }
  }
  await Promise.all([busily(), besides()])
  const reply = once(worker, 'message') as Promise<[number[]]>
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  worker.postMessage('stop')
  const redirects = (await reply)[0].toSorted((a, b) => a - b)
  await worker.terminate()
  const at = (part: number): string =>
    (redirects[Math.min(redirects.length - 1, Math.floor(redirects.length * part))] ?? 0).toFixed(1)
  const longest = Object.values(waits).map((times) => Math.max(...times).toFixed(0))
  const line = `| ${name} | ${at(0.5)} | ${at(0.99)} | ${at(1)} | ${longest.join(' | ')} | ${requests} |`
  console.log(line)
  return line
}

async function bulkEdit(): Promise<void> {
  const change = { title: `Title ${Math.random()}` }
  const { body } = await post(waymark, busy, '/v1/bulk-edit-links', { filter: {}, change })
  for (;;) {
    const { body: list } = await get(waymark, busy, `/v1/bulk-edits?uuid=${body.data.uuid}`)
    if (list.data[0].state !== 'running') return
    await delay(250)
  }
}

/** Rows that would take an hour to create by requests. */
async function fill(): Promise<void> {
  await fillLinks(waymark.dataDir, LINKS, workspace)
  const file = join(waymark.dataDir, 'waymark.db')
  const db = new BetterSqlite(file)
  const entry = db.prepare(
    `insert into audit_log (uuid, workspace_uuid, created_at, actor, user_uuid, operation, resources, resource_count, fields,
      rejected, address, request_id) values (?, ?, ?, 'user', ?, ?, ?, 1, '["title"]', 0, '203.0.113.0/24', 'a')`,
  )
  const now = Date.now()
  db.transaction(() => {
    for (let n = 0; n < ENTRIES; n++)
      entry.run(crypto.randomUUID(), workspace, now - n, workspace, 'editLinks', JSON.stringify([uuidOf(n)]))
  })()
  db.prepare(
    `insert into totals (workspace_uuid, resource, total) values (?, 'links', ?)
      on conflict do update set total = excluded.total`,
  ).run(workspace, LINKS)
  db.close()
  const next = traffic(LINKS, CLICKS / 2)
  const store = openSqliteStore(file)
  const [countryOf, folder, perDay] = [openCountries(), join(waymark.dataDir, 'bench-spool'), CLICKS / 365]
  for (let day = now - 365 * DAY_MS; day < now; day += DAY_MS) {
    const owner = crypto.randomUUID()
    const spool = new Spool({ folder, owner })
    for (let at = 0; at < perDay; at++) spool.append(next(day + Math.floor((at * DAY_MS) / perDay)))
    await new Promise<void>((resolve) => spool.afterWrite(resolve))
    spool.close()
    const ingest = new Ingest({
      folder,
      owner,
      store,
      countryOf,
      now: () => day + 3 * DAY_MS,
      onOddity: console.log,
    })
    await ingest.drain()
    while (await ingest.mergeDays());
    spool.release()
  }
  await store.close()
}
