import * as bowser from 'bowser'
import { BROWSERS, type LinkRule, SYSTEMS } from '@waymark/contract/schemas'
import { describe, expect, it } from 'vitest'
import { compileRules } from './rules.ts'
import type { Visitor } from './visitor.ts'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Mobile/15E148 Safari/604.1'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36'
const NOW = Date.parse('2026-11-15T12:00:00Z')

let lookups = 0
const countryOf = (address: string): string => {
  lookups++
  return address === '203.0.113.9' ? 'DE' : 'US'
}

interface Described {
  agent?: string
  language?: string
  referrer?: string
  query?: string
  address?: string
}

const visitorOf = ({
  agent,
  language,
  referrer,
  query = '',
  address = '203.0.113.9',
}: Described): Visitor => ({
  headers: { 'user-agent': agent, 'accept-language': language, referer: referrer },
  query,
  rest: '',
  address,
})

const chosen = (conditions: LinkRule['if'][], described: Described = {}, nowMs = NOW): string | undefined =>
  compileRules(
    conditions.map((rule, at) => ({ if: rule, url: `https://example.com/${at}`, name: String(at) })),
    countryOf,
  )?.choose(visitorOf(described), nowMs)?.name

describe('a condition', () => {
  it.each<[string, LinkRule['if'], Described, boolean]>([
    ['country', { country: ['FR', 'DE'] }, {}, true],
    ['country of an IPv4 address in IPv6', { country: ['DE'] }, { address: '::ffff:203.0.113.9' }, true],
    ['another country', { country: ['FR'] }, {}, false],
    ['language', { language: ['fr'] }, { language: 'fr' }, true],
    ['prefix of a language', { language: ['fr'] }, { language: 'fr-CA,en;q=0.9' }, true],
    ['a language that only begins alike', { language: ['fr'] }, { language: 'fry' }, false],
    ['a longer tag than the visitor’s', { language: ['fr-CA'] }, { language: 'fr' }, false],
    ['capitals', { language: ['FR-ca'] }, { language: 'Fr-Ca' }, true],
    ['the second preference', { language: ['en'] }, { language: 'fr-CA,en;q=0.9' }, false],
    ['the order of qualities', { language: ['en'] }, { language: 'fr;q=0.2, en;q=0.9' }, true],
    ['a language that is refused', { language: ['fr'] }, { language: 'fr;q=0' }, false],
    ['any language', { language: ['fr'] }, { language: '*' }, false],
    ['any language, then one', { language: ['fr'] }, { language: '*;q=0.1, fr;q=0.05' }, true],
    ['no language', { language: ['fr'] }, {}, false],
    ['8 KB of languages', { language: ['fr'] }, { language: `fr,${'en;q=0.1,'.repeat(900)}` }, true],
    ['8 KB of nonsense', { language: ['fr'] }, { language: '-'.repeat(8_192) }, false],
    ['device', { device: ['mobile'] }, { agent: IPHONE }, true],
    ['another device', { device: ['tablet', 'desktop'] }, { agent: IPHONE }, false],
    ['system', { os: ['ios'] }, { agent: IPHONE }, true],
    ['system in capitals', { os: ['WINDOWS'] }, { agent: CHROME }, true],
    ['browser', { browser: ['chrome'] }, { agent: CHROME }, true],
    ['another browser', { browser: ['edge'] }, { agent: CHROME }, false],
    ['no user agent', { browser: ['chrome'] }, {}, false],
    ['referrer', { referrer: ['example.com'] }, { referrer: 'https://example.com/a?b' }, true],
    ['subdomain', { referrer: ['example.com'] }, { referrer: 'https://a.b.Example.com/' }, true],
    [
      'a host that only ends alike',
      { referrer: ['example.com'] },
      { referrer: 'https://notexample.com/' },
      false,
    ],
    ['the domain above', { referrer: ['www.example.com'] }, { referrer: 'https://example.com/' }, false],
    ['no referrer', { referrer: ['example.com'] }, { referrer: 'nonsense' }, false],
    ['parameter', { query: ['a'] }, { query: 'b=1&a' }, true],
    ['parameter with any value', { query: ['a'] }, { query: 'a=1' }, true],
    ['value', { query: ['a=x y'] }, { query: 'a=x%20y' }, true],
    ['value with a plus', { query: ['a=x y'] }, { query: 'a=x+y' }, true],
    ['another value', { query: ['a=1'] }, { query: 'a=2' }, false],
    ['one of two values', { query: ['a=2'] }, { query: 'a=1&a=2' }, true],
    ['bytes of UTF-8', { query: ['ä=ö'] }, { query: 'Ã¤=%C3%B6' }, true],
    ['a name that only decodes to the pair', { query: ['a=b'] }, { query: 'a%3Db' }, false],
    ['a name with NUL', { query: ['a=b'] }, { query: 'a%00b' }, false],
    ['after', { after: '2026-11-15T12:00:00Z' }, {}, true],
    ['not yet after', { after: '2026-11-15T12:00:00.001Z' }, {}, false],
    ['before', { before: '2026-11-15T12:00:00.001Z' }, {}, true],
    ['no longer before', { before: '2026-11-15T12:00:00Z' }, {}, false],
    ['all of several', { country: ['DE'], os: ['iOS'], query: ['a'] }, { agent: IPHONE, query: 'a' }, true],
    ['all but one', { country: ['DE'], os: ['iOS'], query: ['a'] }, { agent: IPHONE }, false],
    ['none', {}, {}, true],
  ])('%s', (_name, conditions, described, matches) => {
    expect(chosen([conditions], described)).toBe(matches ? '0' : undefined)
  })
})

describe('rules', () => {
  it('are tried in order, and the first that matches wins', () => {
    const twenty = Array.from({ length: 19 }, (_, at) => ({ query: [`p${at}`] }))
    expect(chosen([...twenty, {}], { query: 'p18&p7' })).toBe('7')
    expect(chosen([...twenty, {}])).toBe('19')
    expect(chosen([...twenty, { country: ['FR'] }])).toBeUndefined()
  })

  it('look a country up only if it can matter', () => {
    lookups = 0
    const conditions = [{ query: ['a'] }, { country: ['FR'] }, {}]
    expect(chosen(conditions, { query: 'a' })).toBe('0')
    expect(lookups).toBe(0)
    expect(chosen(conditions)).toBe('2')
    expect(lookups).toBe(1)
  })

  it('return the headers that they depend on', () => {
    const rule = (conditions: LinkRule['if']) => ({ if: conditions, url: 'https://example.com/', name: '0' })
    const headers = (...all: LinkRule['if'][]) => compileRules(all.map(rule), countryOf)?.headers
    expect(headers({ country: ['DE'] }, { query: ['a'] })).toEqual([])
    expect(headers({ os: ['iOS'] }, { language: ['fr'] }, { referrer: ['a.example'] })).toEqual([
      'accept-language',
      'referer',
      'user-agent',
    ])
  })
})

describe('the names of systems and browsers', () => {
  it('are those of the parser that statistics use', () => {
    expect(new Set(Object.values(SYSTEMS))).toEqual(new Set(Object.values(bowser.OS_MAP)))
    expect(
      Object.entries(BROWSERS).filter(([short, name]) => bowser.BROWSER_MAP[short as 'chrome'] !== name),
    ).toEqual([])
  })
})
