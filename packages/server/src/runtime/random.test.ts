import { expect, test } from 'vitest'
import { pooledRandom } from './random.ts'

test('gives as many bytes as were asked for, never the same twice', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 5_000; i++) {
    const bytes = pooledRandom(12)
    expect(bytes).toHaveLength(12)
    seen.add(bytes.toString('hex'))
  }
  expect(seen.size).toBe(5_000)
})

test('what was given does not change when the pool is filled anew', () => {
  const first = pooledRandom(16)
  const before = first.toString('hex')
  for (let i = 0; i < 1_000; i++) pooledRandom(16)
  expect(first.toString('hex')).toBe(before)
})
