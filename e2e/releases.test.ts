import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BASE_URL, readBelongings, untilClicks, visit } from './support/belongings.ts'
import { askServices, newBucketFolder } from './support/stacks.ts'
import { type Account, runCli, startWaymark, type Waymark } from './support/waymark.ts'

/** A data folder of each release and what its API showed of it, as scripts/keep-release-data.ts left them. */
const kept = fileURLToPath(new URL('./releases/', import.meta.url))
const releases = existsSync(kept) ? readdirSync(kept).sort() : []

const migrations = fileURLToPath(new URL('../packages/server/src/storage/db/migrations/', import.meta.url))

interface Kept {
  readonly account: Account
  readonly shown: Record<string, unknown>
}

interface KeptLink {
  readonly uuid: string
  readonly code: string
  readonly clicks: number
}

it('has data of every release whose schema is frozen', async () => {
  const files = await readdir(migrations)
  const texts = await Promise.all(files.sort().map((file) => readFile(join(migrations, file), 'utf8')))
  const frozen = texts.flatMap((text) => /^export const release = '(.+)'$/m.exec(text)?.[1] ?? [])
  expect(releases).toEqual(frozen.sort())
})

describe.each(releases)('data of %s', (release) => {
  let dataDir = ''
  let running: Waymark | undefined
  let account: Account
  let shown: Record<string, unknown>

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'waymark-release-'))
    await promisify(execFile)('tar', ['-xzf', join(kept, release, 'data.tar.gz'), '-C', dataDir])
    const text = await readFile(join(kept, release, 'shown.json'), 'utf8')
    const whole = JSON.parse(text) as Kept
    account = whole.account
    shown = lasting(whole.shown)
  })
  afterAll(async () => {
    await running?.stop()
    await rm(dataDir, { recursive: true, force: true })
  })

  const open = async (settings: Record<string, string>): Promise<Waymark> =>
    (running = await startWaymark({ DATA_DIR: dataDir, BASE_URL, ...settings }))

  /** Its clicks go on where they were. */
  const visitLink = async (waymark: Waymark): Promise<void> => {
    const links = (await readBelongings(waymark, account))['/v1/links'] as KeptLink[]
    const { uuid = '', clicks = 0 } = links.find(({ code }) => code === 'kept') ?? {}
    await visit(waymark, 'kept')
    await untilClicks(waymark, account, uuid, clicks + 1)
  }

  const drawCode = async (waymark: Waymark): Promise<number> => {
    const [code] = (await readBelongings(waymark, account))['/v1/qrcode'] as { uuid: string }[]
    return (await fetch(`${waymark.url}/i/${code?.uuid}.png`)).status
  }

  it('is upgraded by the first start, and all of it is there', async () => {
    const waymark = await open({})
    expect(lasting(await readBelongings(waymark, account))).toEqual(shown)
    expect(await drawCode(waymark)).toBe(200)
    await visitLink(waymark)
    shown = lasting(await readBelongings(waymark, account))
    expect(await waymark.end('SIGTERM')).toBe(0)
  })

  it('goes on to PostgreSQL and S3', async () => {
    const [{ url = '' }, s3Url] = await Promise.all([askServices('postgres/create'), newBucketFolder()])
    const places = ['--from', `sqlite:${dataDir}`, '--to', url, '--files-to', s3Url]
    expect(await runCli({}, 'migrate-data', ...places)).toMatchObject({ code: 0 })
    const secret = join(dataDir, 'secret.key')
    const waymark = await open({ DATABASE_URL: url, S3_URL: s3Url, SECRET_KEY_FILE: secret })
    expect(lasting(await readBelongings(waymark, account))).toEqual(shown)
    expect(await drawCode(waymark)).toBe(200)
    await visitLink(waymark)
  })
})

/** What stays the same for ever: the trash is emptied after some days. */
const lasting = ({ '/v1/trash': _trash, ...rest }: Record<string, unknown>): Record<string, unknown> => rest
