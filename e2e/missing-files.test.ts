import { cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BROWSER, newSlug, pageForm, picture, upload } from './support/pages.ts'
import { get, json, multipart, post } from './support/requests.ts'
import { qrWithLogo } from './support/qr-with-logo.ts'
import { askServices } from './support/stacks.ts'
import { type Account, runCli, startWaymark, type Waymark } from './support/waymark.ts'

/*
 * Uploaded files that are gone: what a restore of the database alone leaves behind. Nothing is served without them as if
 * it were whole, the operator is told, and no backup passes for complete. And backups of PostgreSQL, which hold them.
 */

const SECRET_KEY = 'a secret for tests that nobody else knows'

/** Both databases with files in DATA_DIR. */
const databases = {
  SQLite: async () => ({ SECRET_KEY }),
  PostgreSQL: async () => ({ DATABASE_URL: (await askServices('postgres/create'))['url'] ?? '', SECRET_KEY }),
} as const

describe.each(Object.keys(databases) as (keyof typeof databases)[])('on %s', (engine) => {
  let folder: string
  let waymark: Waymark
  let account: Account
  let qr: { uuid: string; image_url: string; url: string; pattern: string }
  let page: { page_url: string; images: { src: string }[] }
  let drawn: Buffer

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-missing-'))
    waymark = await startWaymark(await databases[engine]())
    account = await waymark.account()
    qr = (await qrWithLogo(waymark, account)).body.data
    const form = await pageForm(newSlug(), [upload('logo', await picture('#204060'))])
    const made = await post(waymark, account, '/v1/generate-page', form)
    expect([made.status, made.body.errors]).toEqual([201, undefined])
    page = made.body.data
    const link = { link: 'https://example.com/clicked', customLink: 'clicked' }
    expect((await post(waymark, account, '/v1/generate-link', link)).status).toBe(201)
    const visit = { redirect: 'manual', headers: { 'user-agent': BROWSER } } as const
    for (let n = 0; n < 3; n++) await fetch(`${waymark.url}/clicked`, visit)
    drawn = Buffer.from(await (await fetch(qr.image_url)).arrayBuffer())
  })
  afterAll(async () => {
    await waymark.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const clicksOf = async (server: Waymark): Promise<number> => {
    const { body } = await get(server, account, '/v1/analytics')
    return body.data.totals.clicks
  }
  const blobs = (): string => join(waymark.dataDir, 'blobs')
  const aside = (): string => join(folder, 'blobs')
  const uploadsOf = async (env: Record<string, string>) => {
    const { stdout } = await runCli(env, 'doctor', '--json')
    const { checks } = JSON.parse(stdout) as { checks: { name: string; state: string; detail: string }[] }
    return checks.find(({ name }) => name === 'uploads')
  }
  /** The address on another server. */
  const at = (server: Waymark, url: string): string => {
    const { pathname, search } = new URL(url)
    return server.url + pathname + search
  }

  it('backs up database and files in one archive, while it runs', async () => {
    await expect.poll(() => clicksOf(waymark)).toBe(3)
    const file = join(folder, 'whole.tar')
    const { code, stderr, stdout } = await waymark.cli('backup', file, '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ file, files: 3, missing: [] })
    const verified = await waymark.cli('backup', 'verify', file)
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('1 accounts')])
    const bytes = await readFile(file)
    expect(bytes.includes(account.secret)).toBe(false)
    expect(await uploadsOf(waymark.env)).toMatchObject({ state: 'ok', detail: '3 files, none is missing' })
  })

  it.each(Object.keys(databases) as (keyof typeof databases)[])('restores it into %s', async (into) => {
    const settings = { ...(await databases[into]()), DATA_DIR: join(folder, `into-${into}`) }
    const { code, stderr, stdout } = await runCli(settings, 'restore', join(folder, 'whole.tar'), '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ files: 3, missing: [] })
    const restored = await startWaymark(settings)
    try {
      const image = await fetch(at(restored, qr.image_url))
      expect(Buffer.from(await image.arrayBuffer()).equals(drawn)).toBe(true)
      const listed = await get(restored, account, `/v1/qrcode?uuid=${qr.uuid}`)
      expect(listed.body.data[0].logo).not.toBeNull()
      expect(await clicksOf(restored)).toBe(3)
      const link = await post(restored, account, '/v1/generate-link', { link: 'https://example.com/after' })
      expect(link.status).toBe(201)
      const again = await runCli(settings, 'restore', join(folder, 'whole.tar'), '--force')
      expect([again.code, again.stderr]).toEqual([
        1,
        expect.stringMatching(into === 'SQLite' ? /is running on this folder/ : /the target is not empty/),
      ])
    } finally {
      await restored.stop()
    }
  })

  it('serves nothing that lacks a missing file, and lets nobody keep the response', async () => {
    await waymark.end()
    await rename(blobs(), aside())
    await waymark.restart()
    const preview = /property="og:image" content="([^"]+)"/.exec(
      await (await fetch(page.page_url)).text(),
    )?.[1]
    for (const address of [
      qr.image_url,
      page.images[0]?.src ?? '',
      `${page.images[0]?.src ?? ''}?w=480`,
      preview ?? '',
    ]) {
      const response = await fetch(at(waymark, address))
      expect([address, response.status, response.headers.get('cache-control')]).toEqual([
        address,
        503,
        'no-store',
      ])
      expect(response.headers.get('retry-after')).toBe('60')
      expect(await response.json()).toEqual({
        error: 'A stored file is missing; ask the operator to run waymark doctor',
      })
    }
    expect(waymark.output().match(/The stored file [0-9a-f]{64} is missing/g)?.length).toBeGreaterThan(0)
    const edit = { uuid: qr.uuid, url: qr.url, pattern: qr.pattern, color: '#102030' }
    expect((await post(waymark, account, '/v1/edit-qr', json(edit))).status).toBe(503)
    const exported = await get(waymark, account, `/v1/export-codes?format=png&uuids=${qr.uuid}`)
    expect(exported.status).toBe(200)
    expect(exported.body).toContain(`\r\n,qrcode,${qr.uuid},`)
    expect(exported.body).not.toContain(`${qr.uuid}.png`)
  })

  it('names it in doctor, backup and verify', async () => {
    expect(await uploadsOf(waymark.env)).toMatchObject({
      state: 'failed',
      detail: expect.stringMatching(/^3 of 3 files are missing: [0-9a-f]{64}, /),
    })
    const file = join(folder, 'without.tar')
    for (const words of [
      ['backup', file],
      ['backup', 'verify', file],
    ]) {
      const { code, stderr } = await waymark.cli(...words)
      expect([code, stderr]).toEqual([
        1,
        expect.stringMatching(/, but 3 files that the database refers to are missing: /),
      ])
    }
  })

  it('takes a new file in place of a missing one', async () => {
    const logo = upload('logo', await picture('#705030'))
    const body = multipart([
      { name: 'uuid', value: qr.uuid },
      { name: 'url', value: qr.url },
      { name: 'pattern', value: qr.pattern },
      logo,
    ])
    const edited = await post(waymark, account, '/v1/edit-qr', body)
    expect([edited.status, edited.body.errors]).toEqual([200, undefined])
    expect((await fetch(edited.body.data.image_url)).status).toBe(200)
  })

  it('keeps the older backups while files are missing', async () => {
    const env = { ...waymark.env, BACKUP_TO: join(folder, 'kept'), BACKUP_KEEP: '1' }
    for (let n = 0; n < 2; n++) expect((await runCli(env, 'backup')).code).toBe(1)
    expect(JSON.parse((await runCli(env, 'backup', 'list', '--json')).stdout)).toHaveLength(2)
    await cp(aside(), blobs(), { recursive: true })
    expect(await runCli(env, 'backup')).toMatchObject({ code: 0, stderr: '' })
    expect(JSON.parse((await runCli(env, 'backup', 'list', '--json')).stdout)).toHaveLength(1)
  })
})
