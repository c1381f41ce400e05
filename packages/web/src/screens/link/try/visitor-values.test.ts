import { expect, test, vi } from 'vitest'
import { anyone, sentVisitor } from './visitor-values.ts'

const NOW = Date.UTC(2030, 0, 1, 12)

test('a visitor without details is sent with nulls, now', () =>
  expect(sentVisitor('u1', anyone, NOW)).toEqual({
    uuid: 'u1',
    at: null,
    country: null,
    language: null,
    device: null,
    os: null,
    browser: null,
    referrer: null,
    query: null,
    path: null,
    password: false,
  }))

test('a device stands for its system and browser', () =>
  expect(sentVisitor('u1', { ...anyone, device: 'iphone' }, NOW)).toMatchObject({
    device: 'mobile',
    os: 'iOS',
    browser: 'Safari',
  }))

test('the visit is a day from now, or at a time of this time zone', () => {
  vi.stubEnv('TZ', 'Europe/Berlin')
  expect(sentVisitor('u1', { ...anyone, moment: 'tomorrow' }, NOW).at).toBe('2030-01-02T12:00:00.000Z')
  const at = { ...anyone, moment: 'at', at: '2030-07-01T12:00' } as const
  expect(sentVisitor('u1', at, NOW).at).toBe('2030-07-01T10:00:00.000Z')
  vi.unstubAllEnvs()
})

test('a query may be pasted with its question mark', () =>
  expect(sentVisitor('u1', { ...anyone, query: '?a=1' }, NOW).query).toBe('a=1'))
