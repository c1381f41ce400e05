import { describe, expect, test } from 'vitest'
import { cacheKey, SingleFlightCache } from './single-flight-cache.ts'

const NONE = 'none'

const open = (clock = { ms: 0 }) =>
  new SingleFlightCache<string>({
    found: { maxEntries: 100, maxBytes: 1_000_000, ttlMs: 60_000 },
    missing: { maxEntries: 50, maxBytes: 100_000, ttlMs: 1_000 },
    absent: NONE,
    bytesOf: (text) => text.length,
    clock: () => clock.ms,
  })

const put = (cache: SingleFlightCache<string>, key: string, value: string): void =>
  cache.ask(
    key,
    (done) => done(null, value),
    () => undefined,
  )

describe('SingleFlightCache', () => {
  test('a scan of random keys evicts no value', () => {
    const cache = open()
    for (let i = 0; i < 40; i++) put(cache, `link${i}`, 'value')
    for (let i = 0; i < 10_000; i++) put(cache, `random${i}`, NONE)
    for (let i = 0; i < 40; i++) expect(cache.known(`link${i}`)).toBe('value')
    expect(cache.size.missing).toBeLessThanOrEqual(50)
  })

  test('tells an unknown key from one without a value, and forgets both', () => {
    const cache = open()
    expect(cache.known('a')).toBeUndefined()
    put(cache, 'a', NONE)
    expect(cache.known('a')).toBe(NONE)
    put(cache, 'a', 'value')
    expect(cache.known('a')).toBe('value')
    expect(cache.size).toMatchObject({ found: 1, missing: 0 })
    cache.forget('a')
    expect(cache.known('a')).toBeUndefined()
    put(cache, 'a', NONE)
    cache.forget('a')
    expect(cache.known('a')).toBeUndefined()
  })

  test('misses expire sooner than values', () => {
    const clock = { ms: 0 }
    const cache = open(clock)
    put(cache, 'here', 'value')
    put(cache, 'nowhere', NONE)
    clock.ms = 1_000
    expect(cache.known('nowhere')).toBeUndefined()
    expect(cache.known('here')).toBe('value')
  })

  test('a failed read returns the absent value with the error', () => {
    const answers: unknown[] = []
    open().ask(
      'a',
      (done) => done(new Error('down'), 'half read'),
      (error, value) => answers.push(error, value),
    )
    expect(answers).toEqual([new Error('down'), NONE])
  })

  test('one name under two domains is two keys', () => {
    expect(cacheKey('', 'a')).not.toBe(cacheKey('go.example', 'a'))
  })
})
