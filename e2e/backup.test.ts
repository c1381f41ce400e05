import { existsSync } from 'node:fs'
import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import SqliteDatabase from 'better-sqlite3'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { get, multipart, post } from './support/requests.ts'
import { type Account, type Waymark, runCli, startWaymark } from './support/waymark.ts'

const VISITOR = '203.0.113.77'
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

let folder = ''
let waymark: Waymark
let account: Account
const opened: Waymark[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waymark-backup-'))
  waymark = await startWaymark({ TRUST_PROXY: 'on' })
  opened.push(waymark)
  account = await waymark.account()
})
afterAll(async () => {
  for (const one of opened) await one.stop()
  await rm(folder, { recursive: true, force: true })
})

const visit = (url: string): Promise<Response> =>
  fetch(url, { redirect: 'manual', headers: { 'x-forwarded-for': VISITOR, 'user-agent': BROWSER } })

const makeLink = async (from: Waymark, name: string): Promise<string> => {
  const { status, body } = await post(from, account, '/v1/generate-link', {
    link: `https://example.com/${name}`,
    customLink: name,
  })
  expect(status).toBe(201)
  return String(body.data.short_url)
}

const makeQr = async (from: Waymark): Promise<{ uuid: string; image_url: string }> => {
  const logo = { width: 40, height: 40, channels: 3, background: '#336699' } as const
  const body = multipart([
    { name: 'url', value: 'https://example.com/scan' },
    { name: 'description', value: 'with a logo' },
    { name: 'pattern', value: 'squares' },
    {
      name: 'logo',
      value: await sharp({ create: logo }).png().toBuffer(),
      filename: 'logo.png',
      type: 'image/png',
    },
  ])
  const made = await post(from, account, '/v1/generate-qr', body)
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return made.body.data
}

const clicksOf = async (from: Waymark, code: string): Promise<number> => {
  const { body } = await get(from, account, `/v1/links?search=${code}`)
  return body.data[0]?.clicks ?? -1
}

/** Starts on restored data, at an address of its own. */
const startOn = async (dataDir: string): Promise<Waymark> => {
  const started = await startWaymark({ DATA_DIR: dataDir })
  opened.push(started)
  return started
}

describe('a backup of the running service', () => {
  let archive = ''
  let picture: Buffer
  let qr: { uuid: string; image_url: string }

  beforeAll(async () => {
    archive = join(folder, 'waymark.tar')
    await makeLink(waymark, 'first')
    qr = await makeQr(waymark)
    picture = Buffer.from(await (await fetch(qr.image_url)).arrayBuffer())
    for (let n = 0; n < 7; n++) await visit(`${waymark.url}/first`)
  })

  it('is written while others write, closed to others, and leaves nothing else behind', async () => {
    await expect.poll(() => clicksOf(waymark, 'first')).toBe(7)
    const ending = new AbortController()
    let made = 0
    const load = (async () => {
      while (!ending.signal.aborted) await makeLink(waymark, `load-${made++}`)
    })()
    const { stdout, code, stderr } = await waymark.cli('backup', archive, '--json')
    ending.abort()
    await load
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual({ file: archive, bytes: expect.any(Number), files: 1, missing: [] })
    expect((await stat(archive)).mode & 0o777).toBe(0o600)
    expect(made).toBeGreaterThan(0)
    expect(await readdir(folder)).toEqual(['waymark.tar'])
    expect((await readdir(waymark.dataDir)).filter((name) => name.startsWith('backup-'))).toEqual([])
  })

  it('holds no visitor’s address', async () => {
    await visit(`${waymark.url}/first`)
    const second = join(folder, 'second.tar')
    expect((await waymark.cli('backup', second)).code).toBe(0)
    const bytes = await readFile(second)
    expect(bytes.includes('https://example.com/first')).toBe(true)
    expect(bytes.includes(VISITOR)).toBe(false)
    await rm(second)
  })

  it('holds no salt of a day’s visitors, not even in free pages', async () => {
    const live = new SqliteDatabase(join(waymark.dataDir, 'waymark.db'), { readonly: true })
    const salts = live.prepare<[], { salt: string }>('select salt from visitor_salts').all()
    live.close()
    expect(salts.length).toBeGreaterThan(0)
    const bytes = await readFile(archive)
    for (const { salt } of salts) expect(bytes.includes(salt)).toBe(false)
    const copy = join(folder, 'copy.db')
    // The database is the first entry of the archive, behind a header of 512 bytes.
    await writeFile(copy, bytes.subarray(512, 512 + Number.parseInt(bytes.toString('latin1', 124, 136), 8)))
    const copied = new SqliteDatabase(copy, { readonly: true })
    expect(copied.prepare('select count(*) as n from visitor_salts').get()).toEqual({ n: 0 })
    copied.close()
    await rm(copy)
  })

  it('brings everything back into an empty folder', async () => {
    const dataDir = join(folder, 'restored')
    const { stdout, code, stderr } = await runCli({ DATA_DIR: dataDir }, 'restore', archive, '--json')
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({ data_dir: dataDir, files: 1 })
    const restored = await startOn(dataDir)
    const { status, body } = await get(restored, account, '/v1/qrcode')
    expect([status, body.data[0].uuid]).toEqual([200, qr.uuid])
    const path = new URL(qr.image_url)
    const again = await fetch(restored.url + path.pathname + path.search)
    expect(Buffer.from(await again.arrayBuffer()).equals(picture)).toBe(true)
    expect((await visit(`${restored.url}/first`)).headers.get('location')).toBe('https://example.com/first')
    await expect.poll(() => clicksOf(restored, 'first')).toBe(8)
    await makeLink(restored, 'after')
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
  })

  it('refuses a folder that has something in it, and one that is in use even with --force', async () => {
    const plain = await waymark.cli('restore', archive)
    expect([plain.code, plain.stdout]).toEqual([1, ''])
    expect(plain.stderr).toBe(`waymark: ${waymark.dataDir} is not empty; --force replaces its content\n`)
    const forced = await waymark.cli('restore', archive, '--force')
    expect([forced.code, forced.stderr]).toEqual([
      1,
      'waymark: Waymark is running on this folder: stop it first\n',
    ])
    expect((await visit(`${waymark.url}/first`)).status).toBe(302)
  })

  it('replaces what is there with --force, once that is stopped', async () => {
    await makeLink(waymark, 'later')
    expect(await waymark.end()).toBe(0)
    const { code, stderr } = await waymark.cli('restore', archive, '--force')
    expect([code, stderr]).toEqual([0, ''])
    await waymark.restart()
    expect((await visit(`${waymark.url}/first`)).status).toBe(302)
    expect((await visit(`${waymark.url}/later`)).status).toBe(404)
  })

  it('refuses archives that are cut off, changed or none, and leaves the folder as it was', async () => {
    const whole = await readFile(archive)
    const flipped = Buffer.from(whole)
    const at = flipped.indexOf('https://example.com/first')
    flipped.writeUInt8(flipped.readUInt8(at) ^ 1, at)
    const cases: [string, Buffer, RegExp][] = [
      ['cut', whole.subarray(0, whole.length - 3_000), /is (incomplete|broken)/],
      ['flipped', flipped, /is broken: the database is damaged: its checksum differs/],
      ['noise', Buffer.alloc(10_000, 'noise'), /is broken: This is not a tar archive/],
    ]
    for (const [name, bytes, message] of cases) {
      const file = join(folder, name)
      await writeFile(file, bytes)
      await chmod(file, 0o600)
      const dataDir = join(folder, `into-${name}`)
      const { code, stderr, stdout } = await runCli({ DATA_DIR: dataDir }, 'restore', file)
      expect([name, code, stdout]).toEqual([name, 1, ''])
      expect(stderr).toMatch(message)
      expect(await readdir(dataDir)).toEqual([])
    }
    const none = await runCli({ DATA_DIR: join(folder, 'into-none') }, 'restore', folder)
    expect([none.code, none.stderr]).toEqual([1, `waymark: ${folder} cannot be read (EISDIR)\n`])
  })

  it('refuses another secret', async () => {
    const dataDir = join(folder, 'other-secret')
    const { code, stderr } = await runCli(
      { DATA_DIR: dataDir, SECRET_KEY: 'x'.repeat(32) },
      'restore',
      archive,
    )
    expect(code).toBe(1)
    expect(stderr).toBe('waymark: SECRET_KEY is not the one that this backup was created with\n')
  })

  it('says where it cannot be written, in one line', async () => {
    const waymark = await startWaymark()
    const folder = await mkdtemp(join(tmpdir(), 'waymark-backup-'))
    const missing = await waymark.cli('backup', join(folder, 'nowhere/a.tar'))
    const taken = await waymark.cli('backup', folder)
    await waymark.stop()
    await rm(folder, { recursive: true })
    expect([missing.code, missing.stderr]).toEqual([
      1,
      `waymark: the folder ${join(folder, 'nowhere')} does not exist\n`,
    ])
    expect([taken.code, taken.stderr]).toEqual([1, `waymark: ${folder} is a folder: name a file in it\n`])
  })

  it('says so when PostgreSQL cannot be reached, and leaves nothing behind', async () => {
    const settings = {
      DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none',
      SECRET_KEY: 'x'.repeat(32),
      DATA_DIR: join(folder, 'pg'),
    }
    const { code, stderr } = await runCli(settings, 'backup', join(folder, 'pg.tar'))
    expect([code, stderr]).toEqual([1, expect.stringContaining('the database cannot be reached')])
    expect(existsSync(join(folder, 'pg.tar'))).toBe(false)
  })
})

describe('backups in BACKUP_TO', () => {
  it('are stored, listed, verified and restored without a path', async () => {
    const settings = { BACKUP_TO: join(folder, 'kept'), BACKUP_KEEP: '3' }
    const own = await startWaymark(settings)
    opened.push(own)
    // The first one is due as soon as the service runs; then the schedule holds.
    const names = async (): Promise<string[]> =>
      JSON.parse((await own.cli('backup', 'list', '--json')).stdout).map((row: { name: string }) => row.name)
    await expect.poll(names).toHaveLength(1)
    account = await own.account()
    await makeLink(own, 'kept')
    const stored = await own.cli('backup', '--json')
    expect([stored.code, stored.stderr]).toEqual([0, ''])
    const { name, links } = JSON.parse(stored.stdout)
    expect([links, name]).toEqual([1, expect.stringMatching(/^waymark-.*Z\.tar$/)])
    expect(await names()).toEqual([expect.any(String), name])
    const verified = await own.cli('backup', 'verify')
    expect([verified.code, verified.stderr]).toEqual([0, ''])
    expect(verified.stdout).toBe(`${name} can be restored: 1 accounts, 1 links, 0 files\n`)
    const dataDir = join(folder, 'from-kept')
    const restored = await runCli({ ...settings, DATA_DIR: dataDir }, 'restore', '--json')
    expect([restored.code, restored.stderr]).toEqual([0, ''])
    expect((await visit(`${(await startOn(dataDir)).url}/kept`)).status).toBe(302)
  })

  it('say what is missing', async () => {
    const none = await runCli({ DATA_DIR: join(folder, 'none') }, 'backup')
    expect([none.code, none.stderr]).toEqual([
      1,
      'waymark: name a file, or set BACKUP_TO to a folder or a bucket (docs/backups.md)\n',
    ])
    const wrong = await runCli({ DATA_DIR: join(folder, 'none'), BACKUP_TO: 'there' }, 'backup')
    expect([wrong.code, wrong.stderr]).toEqual([
      1,
      'waymark: BACKUP_TO must be an absolute path, or https://key:secret@host/bucket\n',
    ])
    const cron = await runCli({ BACKUP_CRON: 'daily' }, 'backup', 'list')
    expect(cron.stderr).toContain('BACKUP_CRON must be a schedule of five fields')
  })
})
