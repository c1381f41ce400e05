import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitMemory } from '../support/memory.ts'
import { get, post } from '../support/requests.ts'
import { PASSWORD, Visitor } from '../support/visitors.ts'
import { type Account, startWaymark, type Waymark } from '../support/waymark.ts'

const run = promisify(execFile)
const MIB = 1024 * 1024
const DISK_MIB = 300
/** Most of the disk is full before the attack begins, to save time. A tenth of the disk is the reserve. */
const FULL_MIB = 225
const FULL = { error: 'The disk is nearly full; try again later' }

const folder = await mkdtemp(join(tmpdir(), 'waymark-disk-'))
const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', folder]).then(
  () => true,
  () => false,
)
if (!isMounted) console.log('This user may not mount a small disk: the tests of a full disk are left out')

const rules = Array.from({ length: 10 }, (_, n) => ({
  if: { device: ['mobile'] },
  to: `https://example.com/${n}/${'x'.repeat(250)}`,
}))
const body = { links: Array.from({ length: 1_000 }, (_, n) => ({ link: `https://example.com/${n}`, rules })) }

describe.runIf(isMounted)('an account that fills the disk', () => {
  let waymark: Waymark
  let attacker: Account
  let other: Account
  let link: { uuid: string; code: string }

  beforeAll(async () => {
    waymark = await startWaymark({ DATA_DIR: join(folder, 'data') })
    limitMemory(waymark)
    attacker = await waymark.account()
    other = await waymark.account()
    const made = await post(waymark, other, '/v1/generate-link', { link: 'https://example.com' })
    link = made.body.data
    await writeFile(join(folder, 'other'), Buffer.alloc(FULL_MIB * MIB))
  })
  afterAll(async () => {
    await waymark.stop()
    await run('umount', ['--lazy', folder])
    await rm(folder, { recursive: true, force: true })
  })

  it('is stopped before the disk is full, and everyone else goes on', async () => {
    let last = { status: 201, body: {} as unknown, headers: new Headers() }
    for (let n = 0; n < 200 && last.status === 201; n++)
      last = await post(waymark, attacker, '/v1/generate-links', body)
    expect([last.status, last.body]).toEqual([503, FULL])
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
    const created = await post(waymark, other, '/v1/generate-link', { link: 'https://example.com' })
    expect([created.status, created.body]).toEqual([503, FULL])

    const visited = await fetch(`${waymark.url}/${link.code}`, {
      redirect: 'manual',
      headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0' },
    })
    expect(visited.status).toBe(302)
    const clicks = async () =>
      (await get(waymark, other, `/v1/links?uuid=${link.uuid}`)).body.data[0].clicks as number
    await expect.poll(clicks, { timeout: 30_000 }).toBe(1)
    const visitor = new Visitor(waymark)
    expect((await visitor.signIn(other.email, PASSWORD)).status).toBe(200)
    expect((await get(waymark, other, '/v1/current-plan')).status).toBe(200)
    const removed = await post(waymark, other, '/v1/remove-links', { uuid: link.uuid, permanent: true })
    expect(removed.status).toBe(200)
    const ready = await fetch(`${waymark.url}/readyz`)
    expect([ready.status, await ready.json()]).toMatchObject([200, { checks: { disk: 'low' } }])
  })

  it('the command line removes the account, and there is room again', async () => {
    const { code, stderr } = await waymark.cli('user', 'remove', '--email', attacker.email)
    expect([code, stderr]).toEqual([0, ''])
    const create = () => post(waymark, other, '/v1/generate-link', { link: 'https://example.com' })
    await expect.poll(async () => (await create()).status, { timeout: 120_000, interval: 1_000 }).toBe(201)
  })
})
