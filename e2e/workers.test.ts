import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { untilRoomInMinute } from './support/minutes.ts'
import { answered, freshMs, json, post, sign } from './support/requests.ts'
import { emptyStacks, stacks } from './support/stacks.ts'
import { type Account, type Waymark, startInVain, startWaymark } from './support/waymark.ts'

const WORKERS = 3

const workersOf = ({ pid }: Waymark): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

const until = (what: () => boolean | Promise<boolean>): Promise<void> =>
  expect.poll(what, { interval: 20 }).toBe(true)

/** A connection of its own each time: the primary hands connections to its workers in turn. */
const fetchAnew = (url: string, init: RequestInit = {}): Promise<Response> =>
  fetch(url, {
    signal: AbortSignal.timeout(30_000),
    ...init,
    headers: { ...(init.headers as Record<string, string>), connection: 'close' },
  })

for (const stack of Object.keys(stacks) as (keyof typeof stacks)[]) {
  describe(`${WORKERS} workers, ${stack}`, () => {
    let waymark: Waymark
    let account: Account
    beforeAll(async () => {
      // All of them find the database empty at the same time.
      const settings = await emptyStacks[stack]()
      waymark = await startWaymark({
        ...settings,
        WORKERS: String(WORKERS),
        RATE_LIMIT_READ: '40',
        METRICS_TOKEN: 'a token for figures',
      })
      account = await waymark.account()
    })
    afterAll(() => waymark.stop())

    it('runs them all, and says so once', async () => {
      await until(() => waymark.output().includes('Waymark is at'))
      expect(workersOf(waymark)).toHaveLength(WORKERS)
      expect(waymark.output().match(/Waymark is at/g)).toHaveLength(1)
    })

    it('counts rate limits over all of them', async () => {
      await untilRoomInMinute()
      const statuses = await Promise.all(
        Array.from({ length: 60 }, () =>
          fetchAnew(`${waymark.url}/v1/links`, { headers: { 'x-api-key': account.apiKey } }).then(
            ({ status }) => status,
          ),
        ),
      )
      const sorted = statuses.sort((a, b) => a - b)
      expect(sorted).toEqual([...Array(40).fill(200), ...Array(20).fill(429)])
    })

    it('takes a signature once, whichever worker gets it', async () => {
      for (let round = 0; round < 5; round++) {
        const target = '/v1/generate-link'
        const { bytes, type, digest } = json({ link: 'https://example.com/once' })
        const headers = { 'content-type': type, ...sign(account, 'POST', target, digest, freshMs()) }
        const errors = await Promise.all(
          Array.from({ length: 12 }, async () => {
            const init = { method: 'POST', headers, body: new Uint8Array(bytes) }
            const { status, body } = await answered(await fetchAnew(waymark.url + target, init))
            return status === 201 ? 'made' : String(body.error)
          }),
        )
        expect(errors.sort()).toEqual([...Array(11).fill('Signature already used'), 'made'])
      }
    })

    it('rejects a revoked key on every worker', async () => {
      const other = await waymark.account()
      const target = '/v1/generate-link'
      const ask = async (): Promise<number> =>
        (await fetchAnew(waymark.url + target, { method: 'POST', headers: { 'x-api-key': other.apiKey } }))
          .status
      const known = await Promise.all(Array.from({ length: 12 }, ask))
      expect(known).toEqual(Array(12).fill(422))
      await waymark.cli('key', 'revoke', other.apiKey)
      await expect.poll(() => Promise.all(Array.from({ length: 12 }, ask))).toEqual(Array(12).fill(401))
    })

    it('shows an edited link on every worker right after the response', async () => {
      const { body } = await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/0' })
      const { uuid, code } = body.data as { uuid: string; code: string }
      const seen = async (): Promise<unknown[]> => {
        const visits = Array.from({ length: 12 }, async () => {
          const { headers } = await fetchAnew(`${waymark.url}/${code}`, {
            redirect: 'manual',
            method: 'HEAD',
          })
          return headers.get('location')
        })
        return [...new Set(await Promise.all(visits))]
      }
      for (let edit = 1; edit <= 10; edit++) {
        await seen()
        const link = `https://example.com/${edit}`
        expect((await post(waymark, account, '/v1/edit-links', { uuid, link })).status).toBe(200)
        expect(await seen()).toEqual([link])
      }
    })

    it('answers for all of them when asked for figures', async () => {
      const made = await post(waymark, account, '/v1/generate-link', { link: 'https://example.com/figures' })
      const code = String(made.body.data.code)
      for (let n = 0; n < 30; n++) await fetchAnew(`${waymark.url}/${code}`, { redirect: 'manual' })
      const { status } = await fetchAnew(`${waymark.url}/metrics`)
      expect(status).toBe(404)
      const figures = async (): Promise<string[]> => {
        const response = await fetchAnew(`${waymark.url}/metrics`, {
          headers: { authorization: 'Bearer a token for figures' },
        })
        const lines = (await response.text()).split('\n')
        return lines
          .filter((line) => /^waymark_(redirects_total|leader|clicks_counted_total) /.test(line))
          .sort()
      }
      const expected = ['waymark_clicks_counted_total 30', 'waymark_leader 1', 'waymark_redirects_total 30']
      await expect.poll(figures).toEqual(expected)
    })

    it('survives the death of a worker, and replaces it', async () => {
      const before = workersOf(waymark)
      process.kill(before[0] ?? 0, 'SIGKILL')
      // A connection that the dead one had is cut, never left hanging; whoever comes again is served.
      const link = { link: 'https://example.com/alive' }
      const again = async (): Promise<boolean> =>
        (await post(waymark, account, '/v1/generate-link', link).catch(() => ({ status: 0 }))).status === 201
      await until(again)
      await until(() => {
        const now = workersOf(waymark)
        return now.length === WORKERS && !now.includes(before[0] ?? 0)
      })
      const statuses = await Promise.all(
        Array.from({ length: 12 }, () => fetchAnew(`${waymark.url}/livez`).then(({ status }) => status)),
      )
      expect(statuses).toEqual(Array(12).fill(200))
    })

    it('drains all of them on SIGTERM and leaves with 0', async () => {
      const pids = workersOf(waymark)
      const startedAt = Date.now()
      expect(await waymark.end('SIGTERM')).toBe(0)
      expect(Date.now() - startedAt).toBeLessThan(10_000)
      for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    })
  })
}

it('says once why it cannot start', async () => {
  const waymark = await startWaymark({ WORKERS: '2' })
  const { output, code } = await startInVain({
    WORKERS: '3',
    PORT: String(waymark.port),
    DATA_DIR: join(waymark.dataDir, 'other'),
  })
  await waymark.stop()
  expect(output.trim()).toBe(`waymark: port ${waymark.port} is in use; set PORT to another one`)
  expect(code).toBe(1)
})
