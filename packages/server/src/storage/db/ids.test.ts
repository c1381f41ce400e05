import { expect, it, test } from 'vitest'
import { createIds, pooledRandom } from './ids.ts'

const UUID7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

it('creates UUIDs of version 7 that contain the time', () => {
  const id = createIds(() => Date.UTC(2026, 10, 15))()
  expect(id).toMatch(UUID7)
  expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(Date.UTC(2026, 10, 15))
})

it('increases within a millisecond, past the limit of its counter, and when the clock is set back', () => {
  const clock = { ms: 1_800_000_000_000 }
  const newId = createIds(() => clock.ms)
  const ids = Array.from({ length: 10_000 }, newId)
  clock.ms -= 60_000
  ids.push(...Array.from({ length: 100 }, newId))
  clock.ms += 120_000
  ids.push(newId())
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.filter((id) => !UUID7.test(id))).toEqual([])
})

it('differs between processes at the same time', () => {
  const [one, other] = [createIds(() => 1), createIds(() => 1)]
  expect(one().slice(19)).not.toBe(other().slice(19))
})

test('returns the requested number of bytes, never the same ones twice', () => {
  const seen = new Set<string>()
  for (let i = 0; i < 5_000; i++) {
    const bytes = pooledRandom(12)
    expect(bytes).toHaveLength(12)
    seen.add(bytes.toString('hex'))
  }
  expect(seen.size).toBe(5_000)
})

test('returned bytes do not change when the pool is refilled', () => {
  const first = pooledRandom(16)
  const before = first.toString('hex')
  for (let i = 0; i < 1_000; i++) pooledRandom(16)
  expect(first.toString('hex')).toBe(before)
})
