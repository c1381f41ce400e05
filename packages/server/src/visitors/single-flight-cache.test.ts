import { describe, expect, test } from 'vitest'
import { BoundedCache, cacheKey, SingleFlightCache } from './single-flight-cache.ts'

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

  test('distinguishes an unknown key from one without a value, and forgets both', () => {
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

describe('BoundedCache', () => {
  const make = (limits: { maxEntries?: number; maxBytes?: number; ttlMs?: number } = {}) => {
    let nowMs = 0
    const cache = new BoundedCache<string>(
      { maxEntries: 10, maxBytes: 10_000, ttlMs: 1_000, ...limits },
      (text) => text.length,
      () => nowMs,
    )
    return { cache, at: (ms: number) => (nowMs = ms) }
  }

  test('never holds more entries than allowed', () => {
    const { cache } = make({ maxEntries: 10 })
    for (let i = 0; i < 1_000; i++) {
      cache.set(`k${i}`, 'x')
      expect(cache.entries).toBeLessThanOrEqual(10)
    }
    expect(cache.get('k999')).toBe('x')
  })

  test('never holds more bytes than allowed', () => {
    const { cache } = make({ maxEntries: 1_000, maxBytes: 1_000 })
    for (let i = 0; i < 500; i++) {
      cache.set(`k${i}`, 'x'.repeat(1 + (i % 90)))
      expect(cache.bytes).toBeLessThanOrEqual(1_000)
    }
    expect(cache.entries).toBeGreaterThan(0)
  })

  test('does not store values above the limit', () => {
    const { cache } = make({ maxBytes: 100 })
    cache.set('small', 'x')
    cache.set('large', 'x'.repeat(200))
    expect(cache.get('large')).toBeUndefined()
    expect(cache.get('small')).toBe('x')
  })

  test('keeps values that are read while others are evicted', () => {
    const { cache } = make({ maxEntries: 10 })
    cache.set('hot', 'x')
    for (let i = 0; i < 1_000; i++) {
      cache.set(`k${i}`, 'x')
      expect(cache.get('hot')).toBe('x')
    }
  })

  test('an entry expires even if it is read often', () => {
    const { cache, at } = make({ ttlMs: 1_000 })
    cache.set('k', 'x')
    for (let ms = 0; ms < 1_000; ms += 50) {
      at(ms)
      expect(cache.get('k')).toBe('x')
    }
    at(1_000)
    expect(cache.get('k')).toBeUndefined()
  })

  test('an expired entry can still be requested until it is deleted or evicted', () => {
    const { cache, at } = make({ ttlMs: 1_000, maxEntries: 10 })
    cache.set('k', 'x')
    cache.set('pushed', 'y')
    at(5_000)
    expect([cache.get('k'), cache.stale('k')]).toEqual([undefined, 'x'])
    cache.delete('k')
    expect(cache.stale('k')).toBeUndefined()
    for (let i = 0; i < 20; i++) cache.set(`k${i}`, 'x')
    expect(cache.stale('pushed')).toBeUndefined()
  })

  test('counts bytes correctly when entries are replaced, moved and deleted', () => {
    const { cache } = make({ maxEntries: 4 })
    cache.set('a', 'xx')
    cache.set('a', 'xxxx')
    expect(cache.bytes).toBe(5)
    cache.set('b', 'x')
    cache.set('c', 'x')
    cache.get('a')
    cache.delete('a')
    cache.delete('b')
    cache.delete('c')
    expect([cache.entries, cache.bytes]).toEqual([0, 0])
  })
})
