import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import SqliteDatabase from 'better-sqlite3'
import { Client } from 'pg'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openReceiver, type Receiver, verify } from './support/receiver.ts'
import { get, multipart, post } from './support/requests.ts'
import { askServices, newBucketFolder } from './support/stacks.ts'
import { type Account, type Waymark, launchedBy, launcher, runCli, startWaymark } from './support/waymark.ts'

const LINKS = 30_000
const CLICKS = 60_000
const BATCHES = 500
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const root = fileURLToPath(new URL('../', import.meta.url))

let old: Waymark
let account: Account
let picture: { path: string; bytes: Buffer }
let receiver: Receiver
let webhook: { uuid: string; secret: string }
let postgresUrl = ''
let s3Url = ''
let client: Client

beforeAll(async () => {
  old = await startWaymark({ WEBHOOK_ALLOW_PRIVATE: 'true' })
  receiver = await openReceiver()
  account = await old.account()
  postgresUrl = (await askServices('postgres/create'))['url'] ?? ''
  s3Url = await newBucketFolder()
  client = new Client({ connectionString: postgresUrl })
  await client.connect()
})
afterAll(async () => {
  await client.end()
  receiver.close()
  await old.stop()
})

const visit = (from: Waymark, code: string): Promise<Response> =>
  fetch(`${from.url}/${code}`, { redirect: 'manual', headers: { 'user-agent': BROWSER } })

const clicksOf = async (from: Waymark, code: string): Promise<number> => {
  const { body } = await get(from, account, `/v1/links?search=${code}`)
  return body.data[0]?.clicks ?? -1
}

const command = (): string[] => ['migrate-data', '--from', `sqlite:${old.dataDir}`, '--to', postgresUrl]

const begin = (): ChildProcess =>
  spawn(launchedBy, [launcher, ...command()], {
    cwd: root,
    env: {},
    stdio: 'ignore',
  })

/** Many rows of the kinds that there are many of, with texts that are hard to carry. */
const fill = (): void => {
  const db = new SqliteDatabase(join(old.dataDir, 'waymark.db'))
  const user = db.prepare<[], { uuid: string }>('select uuid from users').get()?.uuid
  const hard = `quo'te "double" \\back {brace} NULL \u{1F600} ${'x'.repeat(200)}`
  db.exec('begin')
  const link = db.prepare(
    `insert into links (uuid, workspace_uuid, domain, short_code, url, description, custom, redirect, clicks, bot_clicks, created_at, updated_at)
      values (?, ?, '', ?, 'https://example.com/', ?, 0, 302, 0, 0, 1, 1)`,
  )
  const code = db.prepare(
    `insert into short_codes (domain, short_code, link_uuid, created_at) values ('', ?, ?, 1)`,
  )
  for (let n = 0; n < LINKS; n++) {
    const uuid = `018f0000-0000-7000-8000-${String(n).padStart(12, '0')}`
    link.run(uuid, user, `bulk${n}`, n % 3 === 0 ? null : hard)
    code.run(`bulk${n}`, uuid)
  }
  const sums = db.prepare(
    `insert into click_sums (workspace_uuid, month, id, dimension, clicks, data) values (?, ?, ?, ?, 1, ?)`,
  )
  for (let n = 0; n < CLICKS; n++)
    sums.run(user, Date.UTC(2026, 0), String(Math.floor(n / 10)), `${n % 10} ${hard}`, randomBytes(20))
  const batch = db.prepare(
    `insert into click_batches (workspace_uuid, day, id, open_day, first_at, clicks, data)
      values (?, ?, ?, null, ?, 1, ?)`,
  )
  for (let n = 0; n < BATCHES; n++) batch.run(user, n, String(n), n, randomBytes(300))
  db.exec('commit')
  db.close()
}

const count = async (table: string): Promise<number> =>
  Number((await client.query<{ n: string }>(`select count(*) as n from ${table}`)).rows[0]?.n)

it('prepares an instance worth moving', async () => {
  const made = await post(old, account, '/v1/generate-link', {
    link: 'https://example.com/moved',
    customLink: 'moved',
  })
  expect(made.status).toBe(201)
  // An event that does not arrive before the move.
  receiver.answer('/hook', 503)
  const hook = { url: `${receiver.url}/hook`, events: ['link.edited'] }
  webhook = (await post(old, account, '/v1/add-webhook', hook)).body.data
  const { uuid, link } = made.body.data
  await post(old, account, '/v1/edit-links', { uuid, link, description: 'told of' })
  await expect.poll(() => receiver.all.length).toBeGreaterThan(0)
  const background = '#aa5533'
  const value = await sharp({ create: { width: 30, height: 30, channels: 3, background } })
    .png()
    .toBuffer()
  const qr = await post(
    old,
    account,
    '/v1/generate-qr',
    multipart([
      { name: 'url', value: 'https://example.com/scan' },
      { name: 'description', value: 'a logo' },
      { name: 'pattern', value: 'dots' },
      { name: 'logo', value, filename: 'logo.png', type: 'image/png' },
    ]),
  )
  expect(qr.status).toBe(201)
  const { pathname, search } = new URL(qr.body.data.image_url)
  picture = {
    path: pathname + search,
    bytes: Buffer.from(await (await fetch(old.url + pathname + search)).arrayBuffer()),
  }
  for (let n = 0; n < 5; n++) await visit(old, 'moved')
  await expect.poll(() => clicksOf(old, 'moved')).toBe(5)
})

it('refuses while the source is in use', async () => {
  const { code, stderr } = await runCli({}, ...command())
  expect([code, stderr]).toEqual([1, 'waymark: Waymark is running on this data: stop it first\n'])
})

it('goes on where it was killed, twice, and arrives whole', async () => {
  expect(await old.end()).toBe(0)
  fill()
  for (const enough of [8_000, 70_000]) {
    // The second one waits at the table after the links, however late it is killed.
    if (enough > CLICKS) await client.query('begin; lock table short_codes in access exclusive mode')
    const moving = begin()
    const moved = async (): Promise<number> => {
      const { rows } = await client
        .query<{ n: string }>('select sum(rows) as n from waymark_data_move')
        .catch(() => ({ rows: [] }))
      return Number(rows[0]?.n ?? 0)
    }
    await expect.poll(moved, { interval: 5 }).toBeGreaterThan(enough)
    moving.kill('SIGKILL')
    await once(moving, 'exit')
    await client.query('rollback')
  }
  expect((await count('click_sums')) + (await count('links')) + (await count('short_codes'))).toBeLessThan(
    CLICKS + 2 * (LINKS + 1),
  )
  const { stdout, code, stderr } = await runCli({}, ...command(), '--files-to', s3Url, '--json')
  expect([code, stderr]).toEqual([0, expect.stringContaining('checking')])
  expect(JSON.parse(stdout)).toEqual({ tables: expect.any(Number), rows: expect.any(Number), files: 1 })
  expect(await count('links')).toBe(LINKS + 1)
  expect(await count('click_sums')).toBe(CLICKS)
  expect(await count('click_batches')).toBeGreaterThan(BATCHES)
  // What tells visitors apart stays behind.
  expect(await count('visitor_salts')).toBe(0)
  expect(await count('pg_tables where tablename = $$waymark_data_move$$')).toBe(0)
})

it('refuses a target that has rows already', async () => {
  const { code, stderr } = await runCli({}, ...command())
  expect(code).toBe(1)
  expect(stderr).toMatch(/the target is not empty: its table \w+ has other rows/)
})

it('serves from PostgreSQL and the bucket what it served before', async () => {
  const redis = (await askServices('own/redis'))['url'] ?? ''
  const failed = receiver.all.length
  receiver.answer('/hook', 204)
  const moved = await startWaymark({
    DATABASE_URL: postgresUrl,
    S3_URL: s3Url,
    REDIS_URL: redis,
    SECRET_KEY_FILE: join(old.dataDir, 'secret.key'),
    WEBHOOK_ALLOW_PRIVATE: 'true',
  })
  try {
    expect((await visit(moved, 'moved')).headers.get('location')).toBe('https://example.com/moved')
    expect((await visit(moved, 'bulk29999')).status).toBe(302)
    await expect.poll(() => clicksOf(moved, 'moved')).toBe(6)
    const image = await fetch(moved.url + picture.path)
    expect(Buffer.from(await image.arrayBuffer()).equals(picture.bytes)).toBe(true)
    const { body } = await get(moved, account, '/v1/links?limit=1')
    expect(body.meta.total).toBe(1)
    expect(
      (await post(moved, account, '/v1/generate-link', { link: 'https://example.com/new' })).status,
    ).toBe(201)
    const analytics = await get(moved, account, '/v1/analytics')
    expect(analytics.body.data.totals.clicks).toBe(7)
    await expect.poll(() => receiver.all.length).toBe(failed + 1)
    const [first, last] = [receiver.all[0], receiver.all.at(-1)]
    if (last === undefined) throw new Error('nothing came')
    expect(verify(webhook.secret, last)).toMatchObject({
      type: 'link.edited',
      data: { description: 'told of' },
    })
    expect(last.id).toBe(first?.id)
  } finally {
    await moved.stop()
  }
})
