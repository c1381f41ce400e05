import { describe, expect, test } from 'vitest'
import { BLOCKED, decide, LIMIT_SETTLED, PASSWORD_SETTLED, REMOVED } from './decide.ts'
import type { Target } from './decide.ts'
import { testExtras, testRouting, testTarget } from './target.testing.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const link = testTarget()
const limited = testExtras({ maxClicks: 1 })
const visitor = { headers: {}, query: '', rest: '', address: '203.0.113.9' }

describe('decide', () => {
  test.each<[string, Target | null, string]>([
    ['an unknown code', null, 'notFound'],
    ['a link', link, 'redirect'],
    ['a permanent link', { ...link, status: 308 }, 'redirect'],
    ['a link that expires later', { ...link, expiresAtMs: NOW + 1 }, 'redirect'],
    ['a link that expires this very millisecond', { ...link, expiresAtMs: NOW }, 'expired'],
    ['a link that has expired', { ...link, expiresAtMs: NOW - 1 }, 'expired'],
    ['a removed link', { ...link, removed: true }, 'gone'],
    ['a removed link that had expired', { ...link, removed: true, expiresAtMs: NOW - 1 }, 'gone'],
    ['a blocked link', BLOCKED, 'blocked'],
    ['a tombstone', REMOVED, 'gone'],
    ['a link with a click limit', { ...link, extras: limited }, 'limit'],
    [
      'a link with a click limit that has expired',
      { ...link, extras: limited, expiresAtMs: NOW - 1 },
      'expired',
    ],
    ['a removed link with a click limit', { ...link, extras: limited, removed: true }, 'gone'],
  ])('%s', (_name, target, kind) => {
    expect(decide(target, visitor, NOW).kind).toBe(kind)
  })

  test('returns the same target object', () => {
    expect(decide(link, visitor, NOW)).toEqual({
      kind: 'redirect',
      target: link,
      url: link.url,
      plainUrl: link.url,
      rule: undefined,
      variant: undefined,
    })
  })
})

describe('a path below a link', () => {
  const below = { ...visitor, rest: 'a/b', query: 'c=d' }

  test('is not found unless the link forwards it', () => {
    expect(decide(link, below, NOW).kind).toBe('notFound')
    expect(decide({ ...link, extras: limited }, below, NOW).kind).toBe('notFound')
    expect(decide({ ...link, expiresAtMs: NOW }, below, NOW).kind).toBe('notFound')
    expect(decide(REMOVED, below, NOW).kind).toBe('gone')
  })

  test('is added to the chosen destination, then the parameters', () => {
    const rules = [{ if: { query: ['c'] }, to: 'https://example.com/rule?e=f#g' }]
    const extras = testRouting({ rules, forwardsPath: true, forwardsQuery: true })
    expect(decide(testTarget({ extras }), below, NOW)).toMatchObject({
      url: 'https://example.com/rule/a/b?e=f&c=d#g',
      plainUrl: 'https://example.com/rule?e=f#g',
    })
    expect(decide(testTarget({ extras, expiresAtMs: NOW }), below, NOW).kind).toBe('expired')
    expect(decide(testTarget({ extras }), { ...below, rest: 'a/../b' }, NOW).kind).toBe('notFound')
    expect(decide(testTarget({ extras }), { ...below, rest: 'x'.repeat(8_192) }, NOW).kind).toBe('notFound')
  })
})

describe('the order of decisions', () => {
  const rules = [{ if: { query: ['a'] }, to: 'https://example.com/rule' }]
  const variants = [
    { url: 'https://example.com/a', weight: 1, name: 'A' },
    { url: 'https://example.com/b', weight: 1, name: 'B' },
  ]
  const whole = testTarget({
    expiresAtMs: NOW + 1,
    extras: {
      ...testRouting({ rules, variants, forwardsQuery: true }),
      startsAtMs: NOW,
      maxClicks: 1,
      passwordHash: 'h',
      preview: { title: 'Card', description: null, image: null },
    },
  })
  const asking = { ...visitor, query: 'a=1' }
  const kindAt = (target: Target, nowMs: number, settled?: 0 | 1 | 2) =>
    decide(target, visitor, nowMs, settled).kind

  test('removed, start, expiry, click limit, preview fetcher, password', () => {
    expect(kindAt({ ...whole, removed: true }, NOW - 1)).toBe('gone')
    expect(kindAt({ ...whole, expiresAtMs: NOW - 1 }, NOW - 1)).toBe('notYet')
    expect(kindAt(whole, NOW + 1)).toBe('expired')
    expect(kindAt(whole, NOW)).toBe('limit')
    const fetcher = { ...visitor, headers: { 'user-agent': 'Discordbot/2.0' } }
    expect(decide(whole, fetcher, NOW).kind).toBe('limit')
    expect(decide(whole, fetcher, NOW, LIMIT_SETTLED).kind).toBe('preview')
    expect(decide(link, fetcher, NOW).kind).toBe('redirect')
    expect(kindAt(whole, NOW, LIMIT_SETTLED)).toBe('password')
    expect(kindAt(whole, NOW, PASSWORD_SETTLED)).toBe('redirect')
  })

  test('rules, variants, then the visitor’s parameters', () => {
    expect(decide(whole, asking, NOW, PASSWORD_SETTLED)).toMatchObject({
      url: 'https://example.com/rule?a=1',
      rule: '0',
      variant: undefined,
    })
    const other = decide(whole, { ...visitor, query: 'b' }, NOW, PASSWORD_SETTLED)
    expect(other).toMatchObject({ rule: undefined, variant: expect.stringMatching(/^[AB]$/) as string })
    expect(other).toMatchObject({ url: expect.stringMatching(/^https:\/\/example\.com\/[ab]\?b$/) as string })
  })
})
