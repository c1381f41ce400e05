import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser } from '../scripts/services/chromium.ts'
import { startLoad } from './support/load.ts'
import { BROWSER, until } from './support/pages.ts'
import { type Answered, get, post } from './support/requests.ts'
import { publish, showcase } from './support/showcase.ts'
import { onStack } from './support/stacks.ts'
import { type Account, launchedBy, startWaymark, type Waymark } from './support/waymark.ts'

/*
 * Visitors have a process of their own: what they need is served while the API's process is stopped, killed or out of
 * memory, and is never outdated afterwards.
 */

const LINKS = 1_000

const newLink = async (waymark: Waymark, account: Account, link: string) => {
  const { body } = await post(waymark, account, '/v1/generate-link', { link })
  return body.data as { uuid: string; code: string; short_url: string }
}

const locationOf = async (waymark: Waymark, code: string): Promise<string | null> => {
  const response = await fetch(`${waymark.url}/${code}`, { redirect: 'manual' })
  return response.headers.get('location')
}

/** A process that has ended may stay in the table until its parent looks. */
const isRunning = (pid: number): boolean => {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

const untilApiIsUp = (waymark: Waymark): Promise<unknown> =>
  until(
    async () =>
      ((await (await fetch(`${waymark.url}/readyz`)).json()) as { checks: { api: string } }).checks.api,
    (api) => api === 'ok',
  )

onStack('embedded', (waymark) => {
  describe('while the API process is stopped', () => {
    let account: Account
    let browser: Browser
    const codes: string[] = []
    const pages: string[] = []
    const pictures: string[] = []
    beforeAll(async () => {
      account = await waymark().account()
      const made = Array.from({ length: LINKS / 100 }, (_, part) =>
        post(waymark(), account, '/v1/generate-links', {
          links: Array.from({ length: 100 }, (_each, at) => ({
            link: `https://example.com/${part * 100 + at}`,
          })),
        }),
      )
      for (const { body } of await Promise.all(made))
        for (const { code } of body.data as { code: string }[]) codes.push(code)
      for (const name of Object.keys(showcase)) pages.push(await publish(waymark(), account, name))
      for (const url of ['https://example.com/a', 'https://example.com/b']) {
        const { body } = await post(waymark(), account, '/v1/generate-qr', { url, pattern: 'squares' })
        const { image_url, svg_url } = body.data as { image_url: string; svg_url: string }
        pictures.push(image_url, svg_url)
      }
      for (const picture of pictures) expect((await fetch(picture)).status).toBe(200)
      browser = await launchBrowser()
      // Nothing is cached after a restart.
      await waymark().end()
      await waymark().restart()
      for (const code of codes.slice(0, LINKS / 2)) await locationOf(waymark(), code)
      await fetch(pages[0] ?? '')
    })
    afterAll(() => browser?.close())

    it('links, pages with their pictures, and drawn codes are served as if nothing were', async () => {
      const atLeast = sleep(5_000)
      process.kill(waymark().apiPid(), 'SIGSTOP')
      try {
        const locations = await Promise.all(codes.map((code) => locationOf(waymark(), code)))
        expect(locations.map((location) => /^https:\/\/example\.com\/\d+$/.test(location ?? ''))).toEqual(
          Array(LINKS).fill(true),
        )
        for (const picture of pictures) expect((await fetch(picture)).status).toBe(200)
        const context = await browser.newContext({ userAgent: BROWSER })
        const faults: string[] = []
        for (const address of pages) {
          const page = await context.newPage()
          page.on('response', (response) => {
            if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
          })
          page.on('requestfailed', (request) => faults.push(request.url()))
          await page.goto(address, { waitUntil: 'networkidle' })
          const empty = await page.evaluate(() =>
            [...document.images]
              .filter((image) => image.complete && image.naturalWidth === 0)
              .map(({ src }) => src),
          )
          faults.push(...empty)
          await page.close()
        }
        await context.close()
        expect(faults).toEqual([])
        const ready = await fetch(`${waymark().url}/readyz`)
        const { checks } = (await ready.json()) as { checks: Record<string, string> }
        expect([ready.status, checks['api'], checks['database']]).toEqual([200, 'down', 'ok'])
        expect((await fetch(`${waymark().url}/livez`)).status).toBe(200)
        const { stdout } = await waymark().cli('doctor', '--json')
        expect(stdout).toContain('serves visitors, but its API process does not run')
        await atLeast
      } finally {
        process.kill(waymark().apiPid(), 'SIGCONT')
      }
      await untilApiIsUp(waymark())
    })
  })
})

interface Retried {
  readonly key: string
  readonly link: string
}

const KILLS = 20

onStack('embedded', (waymark) => {
  it('a killed API process loses no answered change and no click, and no key runs twice', async () => {
    const account = await waymark().account()
    const links = await Promise.all(
      Array.from({ length: 8 }, (_, n) => newLink(waymark(), account, `https://example.com/of-${n}`)),
    )
    const load = startLoad(
      links.map(({ short_url }) => short_url),
      4,
    )
    /** What each link leads to, as far as its last answered change says. */
    const known = new Map<string, Set<string>>(
      links.map(({ code }, n) => [code, new Set([`https://example.com/of-${n}`])]),
    )
    const created: Retried[] = []
    let unanswered = 0
    let edits = 0
    for (let kill = 0; kill < KILLS; kill++) {
      await untilApiIsUp(waymark())
      const killing = new AbortController()
      const writing = links.map(async ({ uuid, code }) => {
        while (!killing.signal.aborted) {
          const link = `https://example.com/${++edits}`
          const key = crypto.randomUUID()
          const answer = await post(waymark(), account, '/v1/edit-links', { uuid, link }).catch(
            () => undefined,
          )
          const possible = known.get(code)
          if (answer?.status === 200) {
            known.set(code, new Set([link]))
            expect(await locationOf(waymark(), code)).toBe(link)
          } else {
            unanswered++
            possible?.add(link)
          }
          const made = await post(
            waymark(),
            account,
            '/v1/generate-link',
            { link: `https://example.com/made-${key}` },
            { 'idempotency-key': key },
          ).catch((): Pick<Answered, 'status'> => ({ status: 0 }))
          if (made.status !== 201) created.push({ key, link: `https://example.com/made-${key}` })
        }
      })
      await sleep(50 + Math.random() * 250)
      const pid = waymark().apiPid()
      process.kill(pid, 'SIGKILL')
      killing.abort()
      await Promise.all(writing)
      for (const { code } of links)
        expect([...(known.get(code) ?? [])]).toContain(await locationOf(waymark(), code))
    }
    await untilApiIsUp(waymark())
    // A write whose answer was lost is sent again: it is done once, and its link leads where it should.
    for (const { key, link } of created) {
      const again = await post(waymark(), account, '/v1/generate-link', { link }, { 'idempotency-key': key })
      expect(again.status).toBe(201)
      expect(await locationOf(waymark(), String(again.body.data.code))).toBe(link)
      const found = await get(waymark(), account, `/v1/links?search=${encodeURIComponent(link)}`)
      expect(found.body.meta.total).toBe(1)
    }
    await load.stop()
    console.log(`${KILLS} kills: ${unanswered} edits without an answer, ${created.length} keys sent again`)
    expect([load.refused(), load.broken()]).toEqual([0, 0])
    expect(unanswered + created.length).toBeGreaterThanOrEqual(KILLS / 2)
    const redirects = load.answered()
    const clicks = async (): Promise<number> => {
      const each = await Promise.all(
        links.map(
          async ({ uuid }) =>
            (await get(waymark(), account, `/v1/links?uuid=${uuid}`)).body.data[0].clicks as number,
        ),
      )
      return each.reduce((sum, one) => sum + one, 0)
    }
    // The visits of this test itself count, too.
    await expect.poll(clicks, { timeout: 60_000 }).toBeGreaterThanOrEqual(redirects)
  })

  it('the death of the visitors’ process ends the API process, and an immediate start finds no other writer', async () => {
    for (let round = 0; round < 3; round++) {
      const api = waymark().apiPid()
      await waymark().end('SIGKILL')
      await waymark().restart()
      expect(isRunning(api)).toBe(false)
      expect(waymark().apiPid()).not.toBe(api)
      expect((await waymark().account()).apiKey).not.toBe('')
    }
  })
})

describe('faults of the API process', () => {
  let folder: string
  let waymark: Waymark
  let account: Account
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waymark-e2e-faults-'))
    const hook = fileURLToPath(new URL('support/faulty-api.mjs', import.meta.url))
    waymark = await startWaymark({ NODE_OPTIONS: `--import=${hook}`, FAULTS: folder, API_HEAP_MB: '128' })
    account = await waymark.account()
  })
  afterAll(async () => {
    await waymark?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('an end between a commit and its message leaves nothing outdated', async () => {
    const { uuid, code } = await newLink(waymark, account, 'https://example.com/before')
    expect(await locationOf(waymark, code)).toBe('https://example.com/before')
    writeFileSync(join(folder, 'before-publish'), '')
    const change = { uuid, link: 'https://example.com/after' }
    const key = { 'idempotency-key': 'once' }
    const { status, body } = await post(waymark, account, '/v1/edit-links', change, key)
    const unknown = { error: 'The server restarted. Whether this was done is not known' }
    expect([status, body]).toEqual([502, unknown])
    expect(await locationOf(waymark, code)).toBe('https://example.com/after')
    await untilApiIsUp(waymark)
    expect((await post(waymark, account, '/v1/edit-links', change, key)).status).toBe(200)
    expect(await locationOf(waymark, code)).toBe('https://example.com/after')
  })

  it('one that runs out of memory is replaced, and visitors do not notice', async () => {
    const { short_url } = await newLink(waymark, account, 'https://example.com/')
    const before = waymark.apiPid()
    const load = startLoad([short_url], 2)
    writeFileSync(join(folder, 'leak'), '')
    await expect.poll(() => isRunning(before), { timeout: 30_000 }).toBe(false)
    await untilApiIsUp(waymark)
    await load.stop()
    expect(waymark.output()).toMatch(/heap out of memory/)
    expect([load.refused(), load.broken()]).toEqual([0, 0])
    expect(load.answered()).toBeGreaterThan(0)
  })
})

describe('the visitors’ process', () => {
  const NEVER = [
    /node_modules\/fastify\//,
    /node_modules\/zod\//,
    /node_modules\/sharp\//,
    /node_modules\/zxing-wasm\//,
    /node_modules\/nodemailer\//,
    /\/storage\/db\/migrations\//,
    /\.service\.ts$/,
    /\/packages\/server\/src\/(?:api|accounts|modules|commands)\//,
  ]

  it('never loads what only the API needs', async () => {
    const coverage = await mkdtemp(join(tmpdir(), 'waymark-e2e-loaded-'))
    // The sources: in the package, several of them are one file.
    const waymark = await startWaymark(
      { NODE_V8_COVERAGE: coverage },
      { node: launchedBy, launcher: 'packages/server/src/main.ts' },
    )
    const { pid } = waymark
    try {
      const account = await waymark.account()
      const { short_url } = await newLink(waymark, account, 'https://example.com/')
      for (const name of Object.keys(showcase)) await fetch(await publish(waymark, account, name))
      await fetch(short_url, { redirect: 'manual' })
      await fetch(`${short_url}+`)
      for (const path of ['/robots.txt', '/favicon.ico', '/nothing', '/readyz', '/app', '/v1/healthcheck'])
        await fetch(waymark.url + path)
      await waymark.end()
      const files = readdirSync(coverage).filter((name) => name.includes(`-${pid}-`))
      const loaded = files.flatMap((name) => {
        const { result } = JSON.parse(readFileSync(join(coverage, name), 'utf8')) as {
          result: { url: string }[]
        }
        return result.map(({ url }) => url)
      })
      expect(loaded.filter((url) => url.includes('/visitors/')).length).toBeGreaterThan(20)
      expect(loaded.filter((url) => NEVER.some((pattern) => pattern.test(url)))).toEqual([])
    } finally {
      await waymark.stop()
      await rm(coverage, { recursive: true, force: true })
    }
  })
})
