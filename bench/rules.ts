/*
 * What rules and variants cost. Each pair of figures is measured in turns in one run:
 *   - the decision of a link without rules, with and without the code for rules in its way (ratio),
 *   - the decision of a link with 20 rules of all kinds, in microseconds, and against a plain link,
 *   - the choice of a variant, in microseconds.
 *
 *   npm run -s node bench/rules.ts
 */
import { cpus } from 'node:os'
import type { LinkRule } from '@waymark/contract/schemas'
import { openCountries } from '../packages/server/src/clicks/attributes/countries.ts'
import { remembered } from '../packages/server/src/clicks/attributes/headers.ts'
import { createSecrets } from '../packages/server/src/storage/secrets.ts'
import { decide, type Target } from '../packages/server/src/visitors/links/decide.ts'
import { compileRouting } from '../packages/server/src/visitors/links/routing.ts'

const ROUNDS = Number(process.env['ROUNDS'] ?? 15)
const DECISIONS = Number(process.env['DECISIONS'] ?? 200_000)
const NOW = Date.now()

const secrets = createSecrets('a key for the benchmark')
const countryOf = openCountries()
const tools = {
  countryOf: remembered(5_000, countryOf),
  visitorHash: (text: string) => secrets.number('variant', text),
}
const AGENTS = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36',
  'Mozilla/5.0 (X11; Linux x86_64; rv:120.0) Gecko/20100101 Firefox/120.0',
]
const visitors = Array.from({ length: 1_000 }, (_, n) => ({
  headers: {
    'user-agent': AGENTS[n % AGENTS.length],
    'accept-language': n % 2 === 0 ? 'de-DE,de;q=0.9,en;q=0.8' : 'en-US,en;q=0.9',
    referer: n % 3 === 0 ? 'https://news.example.com/today' : undefined,
  },
  query: n % 4 === 0 ? 'utm_source=mail&b=2' : '',
  rest: '',
  address: `${1 + (n % 200)}.${n % 250}.${(n * 7) % 250}.${(n * 13) % 250}`,
}))

/** No visitor matches any of them, so that every condition is looked at. */
const twenty: LinkRule[] = Array.from({ length: 20 }, (_, n) => ({
  if: {
    ...(n % 4 === 0 && { language: ['fr', 'it'], query: [`none${n}`] }),
    ...(n % 4 === 1 && { referrer: ['elsewhere.example'], after: '2020-01-01T00:00:00.000Z' }),
    ...(n % 4 === 2 && { os: ['Tizen'], browser: ['Opera'] }),
    ...(n % 4 === 3 && { country: ['AQ', 'BV'], device: ['tablet' as const] }),
  },
  to: `https://example.com/${n}`,
}))

const target = (stored: { rules?: LinkRule[]; variants?: boolean } | null): Target => ({
  linkId: '019a0000-0000-7000-8000-000000000001',
  url: 'https://example.com/',
  status: 302,
  expiresAtMs: null,
  removed: false,
  extras:
    stored === null
      ? null
      : {
          startsAtMs: null,
          maxClicks: null,
          passwordHash: null,
          preview: null,
          routing: compileRouting(
            {
              rules: stored.rules ?? [],
              variants:
                stored.variants === true
                  ? ['A', 'B'].map((name) => ({ url: `https://example.com/${name}`, weight: 1, name }))
                  : [],
              iosUrl: null,
              androidUrl: null,
              forwardsQuery: false,
              forwardsPath: false,
            },
            tools,
          ),
        },
})

/** The decision as it was before rules: the floor that a plain link is held against. */
function bareDecision(link: Target, nowMs: number): { kind: string; url: string } {
  if (link.removed) return { kind: 'gone', url: '' }
  if (link.expiresAtMs !== null && link.expiresAtMs <= nowMs) return { kind: 'expired', url: '' }
  return { kind: 'redirect', url: link.url }
}

let sink = 0
const measured = (decision: (visitor: (typeof visitors)[number]) => { kind: string }): number => {
  // Processor time: other programs on the machine do not count.
  const begin = process.cpuUsage()
  for (let n = 0; n < DECISIONS; n++) sink += decision(visitors[n % visitors.length]!).kind.length
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / DECISIONS
}

const plain = target(null)
const cases = {
  bare: () => measured(() => bareDecision(plain, NOW)),
  plain: () => measured((visitor) => decide(plain, visitor, NOW)),
  rules: (() => {
    const link = target({ rules: twenty })
    return () => measured((visitor) => decide(link, visitor, NOW))
  })(),
  variants: (() => {
    const link = target({ variants: true })
    return () => measured((visitor) => decide(link, visitor, NOW))
  })(),
}

const costs = new Map(Object.keys(cases).map((name) => [name, [] as number[]]))
for (let round = 0; round < ROUNDS + 2; round++)
  for (const [name, run] of Object.entries(cases)) {
    const cost = run()
    // The first two rounds warm up.
    if (round >= 2) costs.get(name)?.push(cost)
  }
const median = (name: string): number =>
  costs.get(name)?.toSorted((a, b) => a - b)[Math.floor(ROUNDS / 2)] ?? 0

console.log(`${cpus().length} cores, ${ROUNDS} rounds of ${DECISIONS} decisions, medians (${sink % 10})`)
for (const name of Object.keys(cases)) console.log(`${name.padEnd(9)} ${median(name).toFixed(3)} µs`)
console.log(
  `a plain link costs ${(median('plain') - median('bare')).toFixed(3)} µs more than without the code for rules`,
)
console.log(`20 rules cost ${(median('rules') / median('plain')).toFixed(1)} times a plain link`)
console.log(`a variant costs ${(median('variants') / median('plain')).toFixed(1)} times a plain link`)
