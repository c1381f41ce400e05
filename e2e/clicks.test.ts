import { get as httpGet } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { startLoad } from './support/load.ts'
import { answered, get, post } from './support/requests.ts'
import { forEachStack, stacks } from './support/stacks.ts'
import { type Account, startWaymark, type Waymark } from './support/waymark.ts'

const BROWSER =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 Version/17.0 Mobile/15E148 Safari/604.1'

/** What counting may take on a machine that is busy with other tests. */
const COUNTED_MS = 60_000

const makeLink = async (waymark: Waymark, { apiKey }: Account, fields: object = {}) => {
  const response = await fetch(`${waymark.url}/v1/generate-link`, {
    method: 'POST',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ link: 'https://example.com/there', ...fields }),
  })
  const { status, body } = await answered(response)
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body.data as { uuid: string; code: string; short_url: string }
}

const clicksOf = async (waymark: Waymark, account: Account, uuid: string): Promise<number> => {
  const { body } = await get(waymark, account, `/v1/analytics?uuid=${uuid}`)
  return body.data.totals.clicks as number
}

const variantsOf = async (waymark: Waymark, account: Account, uuid: string): Promise<Map<string, number>> => {
  const { body } = await get(waymark, account, `/v1/analytics?uuid=${uuid}&by=variant`)
  const rows = body.data.breakdown as { value: string; clicks: number }[]
  return new Map(rows.map(({ value, clicks }) => [value, clicks]))
}

/** Sends the path as it is: fetch would tidy it up first. */
const visitExactly = (waymark: Waymark, path: string) =>
  new Promise<{ status: number; location: string | undefined }>((resolve, reject) => {
    httpGet({ host: 'localhost', port: waymark.port, path }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, location: response.headers.location })
    }).once('error', reject)
  })

/** Waits until the figure has come up to what it must be and then been the same for a second. */
const settled = async (read: () => Promise<number>, least: number): Promise<number> => {
  const deadline = Date.now() + COUNTED_MS
  let last = await read()
  for (let calm = 0; calm < 4 || (last < least && Date.now() < deadline);) {
    await sleep(250)
    const now = await read()
    calm = now === last ? calm + 1 : 0
    last = now
  }
  return last
}

describe.each(Object.keys(stacks) as (keyof typeof stacks)[])('a killed process on the %s stack', (stack) => {
  it('loses no click that a visitor was sent on for, of no variant, twice in a row, and no link', async () => {
    const waymark = await startWaymark(await stacks[stack]())
    try {
      const account = await waymark.account()
      const names = ['A', 'B']
      const urlOf = (name: string): string => `https://example.com/${name}`
      const link = await makeLink(waymark, account, {
        variants: names.map((name) => ({ name, url: urlOf(name) })),
      })
      const made: string[] = []
      const seen = new Map(names.map((name) => [name, 0]))
      let received = 0
      let underWay = 0
      for (let round = 0; round < 2; round++) {
        const load = startLoad([link.short_url])
        const creating = (async () => {
          for (;;) made.push((await makeLink(waymark, account)).uuid)
        })().catch(() => {})
        const before = made.length
        await expect
          .poll(() => load.answered() >= 60 && made.length >= before + 2, { interval: 1 })
          .toBe(true)
        await sleep(Math.random() * 300)
        await waymark.end('SIGKILL')
        await creating
        const stopped = load.stop()
        await waymark.restart()
        await stopped
        received += load.answered()
        underWay += load.broken()
        const counted = await settled(() => clicksOf(waymark, account, link.uuid), received)
        expect(counted).toBeGreaterThanOrEqual(received)
        expect(counted).toBeLessThanOrEqual(received + underWay)
        for (const name of names)
          seen.set(name, (seen.get(name) ?? 0) + (load.respondedBy().get(urlOf(name)) ?? 0))
        const byVariant = await variantsOf(waymark, account, link.uuid)
        for (const [name, least] of seen) {
          expect(byVariant.get(name)).toBeGreaterThanOrEqual(Math.max(1, least))
          expect(byVariant.get(name)).toBeLessThanOrEqual(least + underWay)
        }
      }
      const { body } = await get(waymark, account, '/v1/links?limit=1000')
      const kept = new Set(body.data.map(({ uuid }: { uuid: string }) => uuid))
      for (const uuid of made.slice(-900)) expect(kept.has(uuid)).toBe(true)
      expect(body.meta.total).toBeGreaterThanOrEqual(made.length + 1)
    } finally {
      await waymark.stop()
    }
  })
})

forEachStack((waymark) => {
  it('drains under load when it is told to stop: nothing dropped, everything counted', async () => {
    const account = await waymark().account()
    const link = await makeLink(waymark(), account)
    const load = startLoad([link.short_url], 8)
    await expect.poll(() => load.answered()).toBeGreaterThan(50)
    const code = await waymark().end('SIGTERM')
    const stopped = load.stop()
    await waymark().restart()
    await stopped
    expect(code).toBe(0)
    expect(load.broken()).toBe(0)
    expect(load.refused()).toBe(0)
    const counted = await settled(() => clicksOf(waymark(), account, link.uuid), load.answered())
    expect(counted).toBe(load.answered())
  })

  it('tells people from bots, and counts a visitor of the day once', async () => {
    const account = await waymark().account()
    const link = await makeLink(waymark(), account)
    const visit = (headers: Record<string, string>) => fetch(link.short_url, { redirect: 'manual', headers })
    for (let n = 0; n < 3; n++)
      await visit({ 'user-agent': BROWSER, referer: 'https://news.example.org/x?y' })
    await visit({ 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' })
    await visit({ 'user-agent': BROWSER, 'sec-purpose': 'prefetch' })
    const byReferrer = async () =>
      (await get(waymark(), account, `/v1/analytics?uuid=${link.uuid}&by=referrer&interval=hour`)).body.data
    // The last visits may be counted in a batch of their own.
    await expect.poll(async () => (await byReferrer()).totals).toEqual({ clicks: 3, uniques: 1, bots: 2 })
    expect((await byReferrer()).breakdown).toEqual([{ value: 'news.example.org', clicks: 3 }])
    for (const [by, value] of [
      ['device', 'mobile'],
      ['system', 'iOS'],
      ['browser', 'Safari'],
    ] as const) {
      const answer = await get(waymark(), account, `/v1/analytics?uuid=${link.uuid}&by=${by}`)
      expect(answer.body.data.breakdown).toEqual([{ value, clicks: 3 }])
    }
    const all = await get(waymark(), account, '/v1/analytics')
    expect(all.body.data.totals.clicks).toBe(3)
  })

  it('answers statistics to their owner alone, within sensible limits', async () => {
    const account = await waymark().account()
    const { uuid } = await makeLink(waymark(), account)
    expect((await get(waymark(), await waymark().account(), `/v1/analytics?uuid=${uuid}`)).status).toBe(404)
    expect((await get(waymark(), account, '/v1/analytics?interval=second')).status).toBe(422)
    expect((await get(waymark(), account, '/v1/analytics?from=2020-01-01&interval=hour')).status).toBe(422)
    expect((await get(waymark(), account, '/v1/analytics?from=2026-02-01&to=2026-01-01')).status).toBe(422)
    const week = await get(waymark(), account, '/v1/analytics?from=2026-01-01&to=2026-01-31&interval=week')
    expect(week.body.data.series.length).toBe(5)
  })

  it('asks for passwords, obeys devices, and ends after so many clicks', async () => {
    const account = await waymark().account()
    const locked = await makeLink(waymark(), account, { password: 'geheim' })
    const asked = await fetch(locked.short_url, { redirect: 'manual' })
    expect([asked.status, asked.headers.get('location')]).toEqual([200, null])
    const send = (password: string) =>
      fetch(locked.short_url, { method: 'POST', redirect: 'manual', body: new URLSearchParams({ password }) })
    expect((await send('wrong')).headers.get('location')).toBeNull()
    const opened = await send('geheim')
    expect(opened.headers.get('location')).toBe('https://example.com/there')
    expect(opened.headers.get('content-type')).toBeNull()
    const devices = await makeLink(waymark(), account, {
      ios_url: 'https://example.com/ios',
      android_url: 'https://example.com/android',
    })
    const target = async (agent: string) =>
      (await fetch(devices.short_url, { redirect: 'manual', headers: { 'user-agent': agent } })).headers.get(
        'location',
      )
    expect(await target(BROWSER)).toBe('https://example.com/ios')
    expect(await target('Mozilla/5.0 (Linux; Android 14)')).toBe('https://example.com/android')
    expect(await target('Mozilla/5.0 (X11; Linux x86_64)')).toBe('https://example.com/there')
    const limited = await makeLink(waymark(), account, { max_clicks: 5 })
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async () => (await fetch(limited.short_url, { redirect: 'manual' })).status),
    )
    expect(statuses.filter((status) => status === 302)).toHaveLength(5)
    expect(statuses.filter((status) => status === 410)).toHaveLength(15)
  })

  it('counts a limit from the clicks known when it is set, whatever the client', async () => {
    const account = await waymark().account()
    const link = await makeLink(waymark(), account)
    const visit = async (headers: Record<string, string>, method = 'GET') => {
      const response = await fetch(link.short_url, { redirect: 'manual', headers, method })
      return { status: response.status, headers: response.headers, text: await response.text() }
    }
    const clicks = async () =>
      (await get(waymark(), account, `/v1/links?uuid=${link.uuid}`)).body.data[0].clicks as number
    for (let i = 0; i < 3; i++) expect((await visit({ 'user-agent': BROWSER })).status).toBe(302)
    expect(await settled(clicks, 3)).toBe(3)
    const edit = { uuid: link.uuid, link: 'https://example.com/there', max_clicks: 5 }
    expect((await post(waymark(), account, '/v1/edit-links', edit)).status).toBe(200)
    for (const looking of [
      await visit({ 'user-agent': BROWSER }, 'HEAD'),
      await visit({ 'user-agent': BROWSER, 'sec-purpose': 'prefetch' }),
      await visit({ 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }),
    ]) {
      expect([looking.status, looking.headers.get('location')]).toEqual([200, null])
      expect(looking.headers.get('cache-control')).toBe('no-store')
      expect(looking.text).not.toContain('example.com')
    }
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => (await visit({ 'user-agent': 'curl/8.5.0' })).status),
    )
    expect(statuses.filter((status) => status === 302)).toHaveLength(2)
    expect(await settled(clicks, 5)).toBe(5)
  })

  it('shows where a link leads without going there', async () => {
    const account = await waymark().account()
    const link = await makeLink(waymark(), account, { link: 'https://example.com/<b>there' })
    const page = await fetch(`${link.short_url}+`, { redirect: 'manual' })
    expect(page.status).toBe(200)
    const html = await page.text()
    expect(html).toContain('https://example.com/%3Cb%3Ethere')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  })

  it('sends nobody anywhere but to the stored address', async () => {
    const account = await waymark().account()
    const { code } = await makeLink(waymark(), account)
    const hostile = [
      `/${code}%00`,
      `/%2e%2e/${code}`,
      `//${code}`,
      `/%25${code}`,
      `/${'a'.repeat(10_000)}`,
      `/${code}é`,
    ]
    for (const path of hostile) {
      const { status, location } = await visitExactly(waymark(), path)
      expect([path.slice(0, 30), location]).toEqual([path.slice(0, 30), undefined])
      expect(status).toBeGreaterThanOrEqual(400)
      expect(status).toBeLessThan(500)
    }
    expect(
      (
        await post(waymark(), account, '/v1/generate-link', {
          link: 'https://example.com/\r\nset-cookie: a=b',
        })
      ).status,
    ).toBe(422)
  })
})
