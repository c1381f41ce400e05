import type { LinkRule } from '@waymark/contract/schemas'
import { expect, it } from 'vitest'
import { createSecrets } from '../../storage/secrets.ts'
import { createLinkVisits } from '../../visitors/links/link-visits.ts'
import { type Lookup, type TargetRow, toTarget } from '../../visitors/links/lookup.ts'
import { createSimulation } from '../../visitors/links/simulate.ts'
import { TargetFinder } from '../../visitors/links/target-finder.ts'
import { queryOf } from '../../visitors/links/target-path.ts'
import { randomNumbers } from '../../visitors/front/byte-streams.testing.ts'
import { createHostNotices } from '../../visitors/notices/host-notices.ts'
import type { LinkService } from './links.service.ts'
import { LinkSimulation } from './simulation.service.ts'

const PAIRS = 10_000
const NOW = Date.parse('2026-11-15T12:00:00Z')

const random = randomNumbers(15)
const draw = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)]!
const chance = (share: number): boolean => random() < share
const some = <T>(items: readonly T[]): T[] => items.filter(() => chance(0.4)).concat(draw(items))

const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
  'curl/8.5.0',
  'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
]
const QUERIES = ['', 'a', 'a=1', 'a=2&b=3', 'ä=ö', 'utm_source=x', 'own=9&%61=1', "x=%&y='#<"]

const PATHS = ['', '', '', '/', '/a', '/a/b/', '/ä', '/../a', '/%5c']

const randomRule = (): LinkRule => ({
  if: {
    ...(chance(0.3) && { country: some(['DE', 'FR', 'US']) }),
    ...(chance(0.3) && { language: some(['fr', 'fr-CA', 'de']) }),
    ...(chance(0.2) && { device: some(['mobile', 'desktop'] as const) }),
    ...(chance(0.2) && { os: some(['ios', 'Android', 'Windows']) }),
    ...(chance(0.2) && { browser: some(['chrome', 'Firefox', 'edge']) }),
    ...(chance(0.2) && { referrer: some(['example.com', 'news.example']) }),
    ...(chance(0.2) && { query: some(['a', 'a=1', 'b', 'ä=ö']) }),
    ...(chance(0.2) && { after: new Date(NOW + draw([-1, 0, 1])).toISOString() }),
    ...(chance(0.2) && { before: new Date(NOW + draw([-1, 0, 1])).toISOString() }),
  },
  to: `https://to.example/${Math.floor(random() * 100)}${draw(['', '?own=1', '?own=1#f'])}`,
})

const randomRow = (): TargetRow => [
  `link-${Math.floor(random() * 1000)}`,
  `https://link.example/${draw(['', '?own=1', '#f'])}`,
  draw([301, 302, 307, 308]),
  draw([null, null, null, NOW - 1, NOW, NOW + 1]),
  draw([null, null, null, null, 5]),
  draw([null, null, null, 'hash of open']),
  draw([null, null, null, 1, 2]),
  draw([null, null, 'https://ios.example/']),
  draw([null, null, 'https://android.example/?own=2']),
  draw([null, null, null, NOW - 1, NOW, NOW + 1]),
  draw([0, 1]),
  chance(0.7) ? JSON.stringify(Array.from({ length: Math.floor(random() * 6) }, randomRule)) : null,
  chance(0.4)
    ? JSON.stringify(
        ['A', 'B', 'C'].map((name) => ({
          url: `https://${name}.example/`,
          weight: 1 + Math.floor(random() * 9),
          name,
        })),
      )
    : null,
  'user',
  draw([null, null, '{"title":"Card","description":null,"image":null}']),
  draw([0, 1]),
]

it('simulations and real visits agree for 10,000 random links and visitors', async () => {
  const secrets = createSecrets('a secret for tests')
  const tools = {
    countryOf: (address: string) =>
      address.startsWith('203.') ? 'DE' : address.startsWith('198.') ? 'FR' : '',
    visitorHash: (text: string) => secrets.number('variant', text),
  }
  let row = randomRow()
  const lookup: Lookup = { find: (_domain, _shortCode, done) => done(null, toTarget(row, tools)) }
  const hasClicksLeft = async (_linkId: string, most: number) => most > 1
  const simulation = new LinkSimulation({
    links: {
      owned: { find: async () => ({ domain: '', short_code: 'x', redirect: row[2], password_hash: row[5] }) },
    } as unknown as LinkService,
    simulate: createSimulation(lookup, hasClicksLeft),
    now: () => NOW,
  })
  const nothing = { maxEntries: 1, maxBytes: 1, ttlMs: 0 }
  const visit = createLinkVisits({
    targets: new TargetFinder(lookup, { found: nothing, missing: nothing }),
    clicks: { append: () => undefined, afterWrite: (effect) => effect() },
    notices: createHostNotices(() => undefined),
    domainOf: () => '',
    now: () => NOW,
    takeClick: hasClicksLeft,
    hasClicksLeft,
    verifyPassword: async (hash, password) => hash === `hash of ${password}`,
    report: null,
    cardOf: () => ({ status: 200, headers: [], body: Buffer.alloc(0) }),
    secondsToWait: async () => 0,
  })
  const reasons = new Map<string, number>()
  for (let n = 0; n < PAIRS; n++) {
    row = randomRow()
    const described = {
      user_agent: draw(AGENTS),
      language: draw([null, 'fr-CA,en;q=0.5', 'de', 'en;q=0.2,fr']),
      referrer: draw([null, 'https://www.example.com/a', 'https://news.example/']),
      query: draw(QUERIES),
      path: draw(PATHS),
      address: draw(['203.0.113.9', '198.51.100.7', '::ffff:203.0.113.9', '2001:db8::1']),
      password: chance(0.5),
    }
    const simulated = await simulation.simulate('user', { uuid: 'x', ...described })
    const real = await visit({
      method: row[5] !== null && described.password && simulated.reason !== 'preview' ? 'POST' : 'GET',
      path: {
        shortCode: 'x',
        preview: false,
        rest: Buffer.from(described.path.slice(1)).toString('latin1'),
      },
      query: queryOf(`/x?${Buffer.from(described.query).toString('latin1')}`),
      headers: {
        'user-agent': described.user_agent,
        ...(described.language !== null && { 'accept-language': described.language }),
        ...(described.referrer !== null && { referer: described.referrer }),
      },
      address: described.address,
      password: described.password ? 'open' : undefined,
    })
    const at = real?.headers.indexOf('location') ?? -1
    const seen = { status: real?.status, url: at === -1 ? null : real?.headers[at + 1] }
    expect({ row, described, status: simulated.status, url: simulated.url }).toEqual({
      row,
      described,
      ...seen,
    })
    reasons.set(simulated.reason, (reasons.get(simulated.reason) ?? 0) + 1)
  }
  for (const reason of [
    'rule',
    'variant',
    'link',
    'preview',
    'not_opened',
    'password',
    'not_active_yet',
    'expired',
    'no_such_path',
    'removed',
  ])
    expect(reasons.get(reason), reason).toBeGreaterThan(100)
})
