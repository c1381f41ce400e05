import { beforeEach, describe, expect, test } from 'vitest'
import { enrichAll } from '../../clicks/counting/click-reader.ts'
import type { Click } from '../../clicks/spool/record.ts'
import type { Extras, Target } from './decide.ts'
import { testExtras, testRouting } from './target.testing.ts'
import { createHostNotices } from '../notices/host-notices.ts'
import { TargetFinder } from './target-finder.ts'
import { queryOf, readShortCodePath } from './target-path.ts'
import { createLinkVisits, type Visit } from './link-visits.ts'

const link = (extras: Partial<Extras> | null, fields: Partial<Target> = {}): Target => ({
  linkId: 'link-a',
  url: 'https://example.com/secret-place',
  status: 308,
  expiresAtMs: null,
  removed: false,
  extras: extras === null ? null : testExtras(extras),
  ...fields,
})

const card = { title: 'Card', description: null, image: null }

const stored = new Map<string, Target>([
  ['plain', link(null)],
  ['locked', link({ passwordHash: 'hash of sesame' })],
  ['few', link({ maxClicks: 2 })],
  ['lockedfew', link({ passwordHash: 'hash of sesame', maxClicks: 1 })],
  [
    'apps',
    link(testRouting({ iosUrl: 'https://apps.example/ios', androidUrl: 'https://apps.example/android' })),
  ],
  ['lockeddocs', link({ ...testRouting({ forwardsPath: true }), passwordHash: 'hash of sesame' })],
  ['shared', link({ preview: card })],
  ['sharedlocked', link({ preview: card, passwordHash: 'hash of sesame', maxClicks: 1 })],
  ['late', link({ maxClicks: 2 }, { expiresAtMs: 5 })],
  ['markup', link(null, { url: 'https://example.com/?<script>"&' })],
])

let clicks: Click[] = []
let used = 0
let waitS = 0

const targets = new TargetFinder({
  find(_domain, shortCode, done) {
    if (shortCode === 'broken') done(new Error('away'), null)
    else done(null, stored.get(shortCode) ?? null)
  },
})

const answer = createLinkVisits({
  targets,
  clicks: { append: (click) => clicks.push(click), afterWrite: (effect) => void setImmediate(effect) },
  notices: createHostNotices(() => undefined),
  domainOf: () => '',
  now: () => 1_000,
  takeClick: async (_linkId, max) => used < max && ++used > 0,
  hasClicksLeft: async (_linkId, max) => used < max,
  verifyPassword: async (hash, password) => hash === `hash of ${password}`,
  report: null,
  cardOf: (_domain, shortCode, { title }) => ({
    status: 200,
    headers: [],
    body: Buffer.from(`card of ${shortCode}: ${title}`),
  }),
  secondsToWait: async () => waitS,
})

const visit = (url: string, fields: Partial<Visit> = {}) => {
  const path = readShortCodePath(url) ?? { shortCode: '', preview: false, rest: '' }
  const request = { method: 'GET', path, query: queryOf(url), headers: {}, address: '203.0.113.9' }
  return answer({ ...request, password: undefined, ...fields })
}

const locationOf = (headers: readonly string[] = []) => headers[headers.indexOf('location') + 1]

beforeEach(() => {
  clicks = []
  used = 0
  waitS = 0
})

describe('a link with a preview', () => {
  const slack = { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' }

  test('shows link-preview bots its card, before the password and without using up a click', async () => {
    for (const code of ['shared', 'sharedlocked']) {
      const shown = await visit(`/${code}`, { headers: slack })
      expect([shown?.status, shown?.body.toString()]).toEqual([200, `card of ${code}: Card`])
    }
    expect([clicks, used]).toEqual([[], 0])
    used = 1
    expect((await visit('/sharedlocked', { headers: slack }))?.status).toBe(410)
    expect((await visit('/shared', { headers: slack, method: 'POST' }))?.status).toBe(405)
  })

  test('redirects all others, and varies by user agent', async () => {
    const outcome = await visit('/shared')
    expect([outcome?.status, clicks.length]).toEqual([308, 1])
    expect(outcome?.headers.slice(-2)).toEqual(['vary', 'user-agent'])
  })
})

describe('a link with a password', () => {
  test('asks for it, reveals nothing, counts nothing', async () => {
    const page = await visit('/locked')
    expect(page?.status).toBe(200)
    expect(page?.body.toString()).toContain('type="password"')
    expect(page?.body.toString()).not.toContain('secret-place')
    expect(clicks).toEqual([])
  })

  test('redirects after the right one, with a status that does not forward the password', async () => {
    const outcome = await visit('/locked', { method: 'POST', password: 'sesame' })
    expect([outcome?.status, locationOf(outcome?.headers)]).toEqual([303, 'https://example.com/secret-place'])
    expect(clicks).toHaveLength(1)
  })

  test.each(['wrong', '', undefined, 'x'.repeat(10_000)])('rejects %s', async (password) => {
    const page = await visit('/locked', { method: 'POST', password })
    expect(page?.status).toBe(403)
    expect(page?.headers).not.toContain('location')
    expect(clicks).toEqual([])
  })

  test('limits attempts, even with the right password', async () => {
    waitS = 30
    const page = await visit('/locked', { method: 'POST', password: 'sesame' })
    expect(page?.status).toBe(429)
    expect(page?.headers).toEqual(expect.arrayContaining(['retry-after', '30']))
  })

  test('returns JSON to programs', async () => {
    const headers = { accept: 'application/json' }
    expect(JSON.parse(String((await visit('/locked', { headers }))?.body))).toEqual({
      error: 'Password required',
    })
    const wrong = await visit('/locked', { headers, method: 'POST', password: 'no' })
    expect([wrong?.status, JSON.parse(String(wrong?.body))]).toEqual([403, { error: 'Wrong password' }])
  })
})

describe('a link with a click limit', () => {
  test('redirects exactly that often', async () => {
    const outcomes = await Promise.all([1, 2, 3, 4].map(() => visit('/few')))
    const statuses = outcomes.map((outcome) => outcome?.status)
    expect(statuses.filter((status) => status === 308)).toHaveLength(2)
    expect(statuses.filter((status) => status === 410)).toHaveLength(2)
    expect(clicks).toHaveLength(2)
  })

  test.each<[string, Partial<Visit>]>([
    ['HEAD', { method: 'HEAD' }],
    ['a prefetch', { headers: { 'sec-purpose': 'prefetch;prerender' } }],
    ...[
      'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
      'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
      'facebookexternalhit/1.1',
      'WhatsApp/2.23.20.0 A',
      'TelegramBot (like TwitterBot)',
      'pythonbot/1.0',
    ].map((agent): [string, Partial<Visit>] => [agent, { headers: { 'user-agent': agent } }]),
  ])('%s takes none of them and learns nothing', async (_, fields) => {
    for (const path of ['/few', '/lockedfew']) {
      const page = await visit(path, fields)
      expect(page?.status).toBe(200)
      expect(page?.headers).toEqual(expect.arrayContaining(['cache-control', 'no-store']))
      expect(page?.headers).not.toContain('location')
      expect(page?.body.toString()).not.toContain('secret-place')
    }
    expect([used, clicks.length]).toEqual([0, 0])
  })

  test.each(['curl/8.5.0', 'node', 'Python-urllib/3.12', ''])(
    'a redirect for "%s" is a click',
    async (agent) => {
      expect((await visit('/few', { headers: { 'user-agent': agent } }))?.status).toBe(308)
      expect(clicks).toMatchObject([{ limited: true }])
      expect(enrichAll(clicks, { countryOf: () => '', saltOf: () => '' })[0]?.bot).toBe(false)
    },
  )

  test('a wrong password uses no click, and a used-up link does not ask for one', async () => {
    await visit('/lockedfew', { method: 'POST', password: 'no' })
    expect((await visit('/lockedfew', { method: 'POST', password: 'sesame' }))?.status).toBe(303)
    expect((await visit('/lockedfew'))?.status).toBe(410)
    expect((await visit('/lockedfew', { method: 'POST', password: 'sesame' }))?.status).toBe(410)
  })

  test('an expired link is 410 before anything else', async () => {
    expect((await visit('/late'))?.status).toBe(410)
    expect(used).toBe(0)
  })
})

describe('a link with device targets', () => {
  test.each([
    ['Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X)', 'https://apps.example/ios'],
    ['Mozilla/5.0 (iPad; CPU OS 16_0 like Mac OS X)', 'https://apps.example/ios'],
    ['Mozilla/5.0 (Linux; Android 14; Pixel 8)', 'https://apps.example/android'],
    ['Mozilla/5.0 (Windows NT 10.0)', 'https://example.com/secret-place'],
    ['', 'https://example.com/secret-place'],
  ])('%s goes to %s', async (agent, url) => {
    const outcome = await visit('/apps', { headers: { 'user-agent': agent } })
    expect(locationOf(outcome?.headers)).toBe(url)
    expect(outcome?.headers).toEqual(expect.arrayContaining(['vary', 'user-agent']))
    expect(clicks).toHaveLength(1)
  })
})

describe('a preview', () => {
  test('shows the destination as text, and counts nothing', async () => {
    const page = await visit('/markup+')
    const body = String(page?.body)
    expect(page?.status).toBe(200)
    expect(body).toContain('https://example.com/?&lt;script&gt;&quot;&amp;')
    expect(body).not.toContain('<script')
    expect(clicks).toEqual([])
  })

  test('shows every destination of a link with device targets', async () => {
    const body = String((await visit('/apps+'))?.body)
    for (const url of ['secret-place', 'apps.example/ios', 'apps.example/android'])
      expect(body).toContain(url)
  })

  test.each(['/locked+', '/few+', '/lockedfew+'])('%s does not reveal the destination', async (url) => {
    expect(String((await visit(url))?.body)).not.toContain('secret-place')
    expect(used).toBe(0)
  })

  test('of an unknown code is not found', async () => {
    expect((await visit('/nowhere+'))?.status).toBe(404)
  })
})

describe('a path below a link', () => {
  const sesame = { method: 'POST', password: 'sesame' }

  test('is forwarded after the password', async () => {
    expect((await visit('/lockeddocs/a/b'))?.body.toString()).toContain('password')
    const sent = await visit('/lockeddocs/a/b?c', sesame)
    expect([sent?.status, locationOf(sent?.headers)]).toEqual([303, 'https://example.com/secret-place/a/b'])
    expect((await visit('/lockeddocs/', sesame))?.status).toBe(303)
  })

  test('is 404 without asking for a password, unless the link forwards it', async () => {
    for (const url of ['/locked/a', '/few/a', '/lockeddocs/../a', '/lockeddocs/%5c', '/lockeddocs/a/%2e'])
      expect([url, (await visit(url, sesame))?.status]).toEqual([url, 404])
    const long = 'x'.repeat(8_180)
    expect((await visit(`/lockeddocs/${long}`, sesame))?.status).toBe(404)
    expect([clicks, used]).toEqual([[], 0])
  })
})

describe('everything else', () => {
  test('a link without rules redirects here too', async () => {
    expect((await visit('/plain'))?.status).toBe(308)
    expect(clicks).toHaveLength(1)
  })

  test.each([
    ['POST', '/plain'],
    ['POST', '/few'],
    ['POST', '/apps'],
    ['POST', '/plain+'],
    ['PUT', '/plain'],
    ['DELETE', '/locked'],
    ['OPTIONS', '/lockedfew'],
  ])('%s %s is the wrong method', async (method, url) => {
    const outcome = await visit(url, { method })
    expect(outcome?.status).toBe(405)
    expect(outcome?.headers).toEqual(expect.arrayContaining(['allow', 'GET, HEAD']))
  })

  test('an unavailable database is 503', async () => {
    expect((await visit('/broken'))?.status).toBe(503)
  })
})
