import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'
import { expect, it } from 'vitest'
import { leastForm, newSlug } from './support/pages.ts'
import { type Answered, get, multipart, post } from './support/requests.ts'
import { servers } from './support/stacks.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

const MARKER = 'zzmarkerzz'

/** Files that hold one of the texts. */
const filesWith = async (folder: string, ...texts: string[]): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((item) => item.isFile())) {
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    if (texts.some((text) => content.includes(text))) found.push(path)
  }
  return found
}

/** Every column of every table whose text holds the marker, as `table.column`. */
const columnsWith = async (db: Client, marker: string): Promise<string[]> => {
  const { rows: columns } = await db.query<{ table: string; column: string }>(
    `select c.table_name as table, c.column_name as column from information_schema.columns c
      join information_schema.tables t using (table_schema, table_name)
      where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, 2`,
  )
  expect(columns.length).toBeGreaterThan(100)
  const found: string[] = []
  for (const { table, column } of columns) {
    const { rowCount } = await db.query(
      `select 1 from "${table}" where position($1 in "${column}"::text) > 0 or
        position(encode(convert_to($1, 'UTF8'), 'hex') in "${column}"::text) > 0 limit 1`,
      [marker],
    )
    if (rowCount !== 0) found.push(`${table}.${column}`)
  }
  return found
}

/** Fills everything that an account can have with the marker, and visits it. */
const furnish = async (waymark: Waymark, account: Account): Promise<void> => {
  const url = `https://example.com/${MARKER}`
  const send = async (path: string, body: Parameters<typeof post>[3]): Promise<Answered> => {
    const answer = await post(waymark, account, path, body)
    expect([path, answer.status < 300]).toEqual([path, true])
    return answer
  }
  const made = await send('/v1/generate-link', {
    link: url,
    title: `title ${MARKER}`,
    description: `description ${MARKER}`,
    tag: MARKER,
    customLink: MARKER,
    preview: { title: MARKER, description: MARKER },
    rules: [{ if: { query: [MARKER] }, to: url }],
  })
  // The history of a link, and a short code that it had before.
  await send('/v1/edit-links', { uuid: made.body.data.uuid, link: `${url}/2`, customLink: `${MARKER}-2` })
  const file = { name: 'file', value: `link\n${url}\n`, filename: `${MARKER}.csv`, type: 'text/csv' }
  await send('/v1/import-links', multipart([file, { name: 'preview', value: 'true' }]))
  expect((await get(waymark, account, '/v1/takeout')).status).toBe(200)
  const removed = await send('/v1/generate-link', { link: url, title: MARKER })
  await send('/v1/remove-links', { uuid: removed.body.data.uuid })
  await send('/v1/generate-qr', { url, pattern: 'dots', description: MARKER })
  await send('/v1/generate-barcode', { url, description: MARKER })
  const tags = { source: MARKER, medium: MARKER, campaign: MARKER, content: MARKER }
  await send('/v1/generate-utm', { url, ...tags, shorten: true })
  const page = (await leastForm(newSlug())).filter(({ name }) => name !== 'title')
  await send('/v1/generate-page', multipart([...page, { name: 'title', value: MARKER }]))
  await send('/v1/update-personal-info', { first_name: MARKER, address: MARKER })
  await send('/v1/add-feedback', { feedback: MARKER })
  await send('/v1/add-webhook', { url: `https://receiver.example/${MARKER}`, events: ['link.clicked'] })
  await send('/v1/add-domain', { name: `${MARKER}.example` })
  for (let visit = 0; visit < 20; visit++)
    await fetch(`${waymark.url}/${MARKER}`, {
      redirect: 'manual',
      headers: { referer: `https://${MARKER}.example/`, 'user-agent': 'Mozilla/5.0 Firefox/141.0' },
    })
}

/** Begins an import and a bulk edit that go on while the account is removed. */
const beginJobs = async (waymark: Waymark, account: Account): Promise<void> => {
  const lines = Array.from({ length: 6000 }, (_, n) => `https://example.com/${n},${MARKER}${n},${MARKER}`)
  const file = `link,customLink,title\n${lines.join('\n')}\n`
  const parts = [{ name: 'file', value: file, filename: `${MARKER}.csv`, type: 'text/csv' }]
  expect((await post(waymark, account, '/v1/import-links', multipart(parts))).status).toBe(201)
  const created = async (): Promise<number> =>
    (await get(waymark, account, '/v1/imports')).body.data[0].created
  await expect.poll(created).toBeGreaterThan(0)
  const edit = { filter: { search: MARKER }, change: { add_tags: [MARKER] } }
  expect((await post(waymark, account, '/v1/bulk-edit-links', edit)).status).toBe(200)
}

/** Removes the account while other requests of it are answered; none of them is a fault of the server's. */
const removeAmidRequests = async (waymark: Waymark, account: Account): Promise<void> => {
  const links = Array.from({ length: 300 }, () => ({ link: `https://example.com/${MARKER}` }))
  const csv = { name: 'file', value: `link\nhttps://example.com/${MARKER}\n`, filename: 'a.csv' }
  const pictures = await leastForm(newSlug())
  const before = [
    post(waymark, account, '/v1/generate-links', { links }),
    post(waymark, account, '/v1/generate-page', multipart(pictures)),
  ]
  const removed = post(waymark, account, '/v1/remove-account', { reason: 'done' })
  const after = [
    post(waymark, account, '/v1/import-links', multipart([csv])),
    post(waymark, account, '/v1/import-links', multipart([csv, { name: 'background', value: 'true' }])),
    post(waymark, account, '/v1/generate-link', { link: `https://example.com/${MARKER}` }),
    post(waymark, account, '/v1/add-feedback', { feedback: MARKER }),
  ]
  expect((await removed).status).toBe(200)
  const statuses = (await Promise.all([...before, ...after])).map(({ status }) => status)
  expect(statuses.filter((status) => status !== 201 && status !== 401)).toEqual([])
}

const errorsIn = (log: string): string[] => log.split('\n').filter((line) => line.includes('"level":50'))

it('leaves no trace of a removed account in any table of PostgreSQL', async () => {
  const settings = await servers()
  const waymark = await startWaymark(settings)
  const db = new Client({ connectionString: settings['DATABASE_URL'] ?? '' })
  await db.connect()
  const account = await waymark.account()
  await furnish(waymark, account)
  // Those that the visits fill as well, so that the search is known to find them.
  const expected = ['links.url', 'pages.title', 'qrcodes.url', 'users.first_name', 'webhooks.url']
  await expect.poll(() => columnsWith(db, MARKER)).toEqual(expect.arrayContaining(expected))
  await beginJobs(waymark, account)
  await removeAmidRequests(waymark, account)
  await expect.poll(() => columnsWith(db, MARKER), { timeout: 90_000 }).toEqual([])
  await waymark.end('SIGTERM')
  expect([await columnsWith(db, MARKER), errorsIn(waymark.output())]).toEqual([[], []])
  // Its invoice stays, without the person: it was of nothing.
  expect(await columnsWith(db, account.email)).toEqual([])
  await db.end()
  await waymark.stop()
})

it('leaves no trace of a removed account in any file of DATA_DIR', async () => {
  const waymark = await startWaymark()
  const account = await waymark.account()
  await furnish(waymark, account)
  await waymark.end('SIGTERM')
  for (const text of [MARKER, account.email]) expect(await filesWith(waymark.dataDir, text)).not.toEqual([])

  await waymark.restart()
  await beginJobs(waymark, account)
  await removeAmidRequests(waymark, account)
  const traces = (): Promise<string[]> => filesWith(waymark.dataDir, MARKER, account.email, account.apiKey)
  await expect.poll(traces, { timeout: 90_000 }).toEqual([])
  await waymark.end('SIGTERM')
  expect([await traces(), errorsIn(waymark.output())]).toEqual([[], []])
  await waymark.stop()
})
