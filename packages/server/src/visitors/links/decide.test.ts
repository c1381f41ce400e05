import { describe, expect, test } from 'vitest'
import { decide, REMOVED } from './decide.ts'
import type { Target } from './decide.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const link: Target = {
  linkId: 'a',
  url: 'https://example.com/',
  status: 302,
  expiresAtMs: null,
  removed: false,
  rules: null,
}
const rules = { passwordHash: null, maxClicks: 1, iosUrl: null, androidUrl: null }

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
    ['a tombstone', REMOVED, 'gone'],
    ['a link with rules', { ...link, rules }, 'thought'],
    ['a link with rules that has expired', { ...link, rules, expiresAtMs: NOW - 1 }, 'expired'],
    ['a removed link with rules', { ...link, rules, removed: true }, 'gone'],
  ])('%s', (_name, target, kind) => {
    expect(decide(target, NOW).kind).toBe(kind)
  })

  test('hands on the very target it was given', () => {
    expect(decide(link, NOW)).toEqual({ kind: 'redirect', target: link })
  })
})
