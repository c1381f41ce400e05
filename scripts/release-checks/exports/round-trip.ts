import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { IMPORT_FILE_BYTES } from '@waymark/contract'
import { readCsv } from '@waymark/contract/csv'
import { type Client, createClient, type ImportedFile } from '@waymark/sdk'
import { type Account, runCli, startWaymark, type Waymark } from '../../../e2e/support/waymark.ts'
import { createAccount } from '../account.ts'
import { Steps } from '../steps.ts'
import { EARLIER_EVERY, linkAt, OTHER_HOST, PASSWORD_EVERY } from './round-trip-links.ts'

/*
 * An export can be imported completely, at any size: links with every field of an export are exported with the command line,
 * imported with it into an empty instance, and compared field by field. 150,000 links are more than 32 MiB, which the command
 * line imports in parts.
 */

/** From this many links on the file is too large for one import. */
const LARGE = 150_000
const AT_ONCE = 1_000
const MAX_VISITED = 20
/** Fields that differ between instances; clicks become imported ones. */
const NEW_FIELDS = ['uuid', 'updated_at', 'last_click_at', 'clicks', 'imported_clicks']

type Row = Readonly<Record<string, string>>

interface Instance {
  readonly waymark: Waymark
  readonly account: Account
  readonly client: Client
}

async function startInstance(): Promise<Instance> {
  const waymark = await startWaymark({ BASE_URL: 'http://go.example.com' })
  const account = await createAccount(waymark)
  const added = await waymark.cli('domain', 'add', OTHER_HOST, '--email', account.email)
  assert.equal(added.code, 0, added.stderr)
  return { waymark, account, client: createClient({ baseUrl: waymark.url, ...account }) }
}

/** Runs a command of the command line against an instance; returns what it printed as JSON. */
async function run({ waymark, account }: Instance, ...words: string[]): Promise<unknown> {
  const key = { WAYMARK_API_KEY: account.apiKey, WAYMARK_SECRET: account.secret }
  const { code, stdout, stderr } = await runCli({ WAYMARK_URL: waymark.url, ...key }, ...words, '--json')
  assert.equal(code, 0, stderr)
  return JSON.parse(stdout)
}

async function fill({ client }: Instance, count: number): Promise<void> {
  for (let from = 0; from < count; from += AT_ONCE) {
    const places = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, n) => from + n)
    const { data } = await client.generateLinks({ links: places.map(linkAt) })
    for (const [n, { uuid, link }] of data.entries())
      if ((from + n) % EARLIER_EVERY === 0)
        await client.editLinks({ uuid, link, customLink: `renamed-${from + n}` })
  }
}

/** Visits some of the links, and waits until the clicks are counted. */
async function visit({ waymark, client }: Instance, count: number): Promise<void> {
  const places = Array.from({ length: Math.min(count, 1_000) }, (_, at) => at)
  const plain = places.map(linkAt).filter(({ customLink, starts_at, password }) => {
    return customLink !== undefined && starts_at === undefined && password === undefined
  })
  const visited = plain.slice(0, MAX_VISITED)
  for (const { customLink } of visited) {
    const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0' }
    const { status } = await fetch(`${waymark.url}/${customLink}`, { redirect: 'manual', headers })
    assert.ok(status === 302 || status === 308, `${customLink}: ${status}`)
  }
  for (let tries = 0; tries < 300; tries++) {
    const { data } = await client.links({ sort: 'clicks', limit: visited.length })
    if (data.every(({ clicks }) => clicks === 1)) return
    await delay(200)
  }
  throw new Error('The clicks are not counted')
}

/** The rows of an export by the address of the link. */
async function rowsOf({ client }: Instance): Promise<Map<string, Row>> {
  const records = readCsv(await client.exportLinks())
  const names = records.next().value?.cells ?? []
  const rows = new Map<string, Row>()
  for (const { cells } of records) {
    const row: Row = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
    rows.set(row['short_url'] ?? '', row)
  }
  return rows
}

/** Compares every field of every link. */
function compare(before: ReadonlyMap<string, Row>, after: ReadonlyMap<string, Row>): number {
  assert.equal(after.size, before.size)
  let fields = 0
  for (const [address, row] of before) {
    const back = after.get(address)
    assert.ok(back, `${address} is missing`)
    for (const [name, value] of Object.entries(row)) {
      if (NEW_FIELDS.includes(name)) continue
      assert.equal(back[name], value, `${name} of ${address}`)
      fields++
    }
    const clicks = Number(row['clicks']) + Number(row['imported_clicks'])
    assert.deepEqual([back['clicks'], back['imported_clicks']], ['0', String(clicks)], `clicks of ${address}`)
  }
  return fields
}

/** Exports everything, imports it into an empty instance, and compares. */
async function moveOver(
  from: Instance,
  before: ReadonlyMap<string, Row>,
  format: 'csv' | 'json',
  folder: string,
  steps: Steps,
): Promise<void> {
  const file = join(folder, `links.${format}`)
  await steps.take(`export ${format}`, () => run(from, 'export', '--format', format, '--out', file))
  const { size } = await stat(file)
  const to = await startInstance()
  try {
    const imported = (await steps.take(
      `import ${format}`,
      () => run(to, 'import', file),
      () => `${(size / 2 ** 20).toFixed(1)} MiB`,
    )) as ImportedFile
    if (before.size >= LARGE) assert.ok(size > IMPORT_FILE_BYTES && imported.parts > 1, 'the file is small')
    const { state, created, skipped, renamed, problem_count } = imported
    const protectedLinks = Math.ceil(before.size / PASSWORD_EVERY)
    assert.deepEqual(
      { state, created, skipped, renamed, problem_count },
      { state: 'done', created: before.size, skipped: 0, renamed: 0, problem_count: protectedLinks },
    )
    await steps.take(
      `compare ${format}`,
      async () => compare(before, await rowsOf(to)),
      (fields) => `${fields} fields are the same`,
    )
  } finally {
    await to.waymark.stop()
  }
}

/** Creates links and moves them to other instances, as CSV and as JSON. */
export async function checkRoundTrip(count: number, folder: string): Promise<void> {
  const steps = new Steps()
  const from = await startInstance()
  try {
    await steps.take(
      'create',
      () => fill(from, count),
      () => `${count} links`,
    )
    await visit(from, count)
    const before = await rowsOf(from)
    assert.equal(before.size, count)
    for (const format of ['csv', 'json'] as const) await moveOver(from, before, format, folder, steps)
  } finally {
    await from.waymark.stop()
  }
  steps.print()
}
