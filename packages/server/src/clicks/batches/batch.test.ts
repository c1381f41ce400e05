import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { clicksOf, packClicks, unpackBatch } from './batch.ts'
import { type KeptClick, KINDS, TEXT_FIELDS, type TextField } from './kept-click.ts'
import { firstOf, MAX_BATCH_BYTES, MAX_BATCH_CLICKS, mergedBatches } from './merged.ts'

const DAY = Date.UTC(2026, 10, 15)
const texts = Object.fromEntries(
  TEXT_FIELDS.map((field) => [field, fc.string({ unit: 'grapheme' })]),
) as Record<TextField, fc.Arbitrary<string>>
const clicks: fc.Arbitrary<KeptClick[]> = fc.array(
  fc.record({
    ...texts,
    atMs: fc.integer({ min: DAY, max: DAY + 86_399_999 }),
    kind: fc.constantFrom(...KINDS),
    bot: fc.boolean(),
    firstOfResource: fc.boolean(),
    firstOfUser: fc.boolean(),
    scanned: fc.boolean(),
  }),
  { maxLength: 300 },
)

test('what is packed comes out again, wherever the bytes lie in memory', () => {
  fc.assert(
    fc.property(clicks, fc.integer({ min: 0, max: 7 }), (given, offset) => {
      const packed = packClicks(given, DAY)
      const moved = Buffer.alloc(packed.length + offset)
      packed.copy(moved, offset)
      expect([...clicksOf(unpackBatch(moved.subarray(offset)), DAY)]).toEqual(given)
    }),
    { numRuns: 100 },
  )
})

test('merging keeps every click, in the order of time', () => {
  fc.assert(
    fc.property(fc.array(clicks, { minLength: 1, maxLength: 4 }), (given) => {
      const { packed } = mergedBatches(
        given.map((some) => ({ data: packClicks(some, DAY) })),
        DAY,
      )
      const all = given.flat()
      const merged = [...clicksOf(unpackBatch(packed), DAY)]
      expect(merged).toEqual(given.length === 1 ? all : all.toSorted((a, b) => a.atMs - b.atMs))
    }),
    { numRuns: 50 },
  )
})

test('more than 256 and more than 65,536 different texts', () => {
  const [first] =
    fc.sample(
      clicks.filter(({ length }) => length > 0),
      { numRuns: 1, seed: 1 },
    )[0] ?? []
  const many = Array.from({ length: 70_000 }, (_, n) => ({
    ...first!,
    atMs: DAY + n,
    referrer: String(n),
    detail: String(n % 300),
  }))
  const { columns } = unpackBatch(packClicks(many, DAY))
  expect(columns.referrer.texts[columns.referrer.indexes?.[69_999] ?? 0]).toBe('69999')
  expect(columns.detail.texts[columns.detail.indexes?.[599] ?? 0]).toBe('299')
})

test('a version that is not known is rejected', () => {
  const packed = packClicks([], DAY)
  packed[0] = 9
  expect(() => unpackBatch(packed)).toThrow('version')
})

test('batches are merged up to a size, and at least one', () => {
  const sizes = (...counts: number[]) =>
    firstOf(counts.map((count) => ({ clicks: count, bytes: 0 }))).map((one) => one.clicks)
  expect(sizes(1, 2, MAX_BATCH_CLICKS)).toEqual([1, 2])
  expect(sizes(2 * MAX_BATCH_CLICKS, 1)).toEqual([2 * MAX_BATCH_CLICKS])
  expect(sizes()).toEqual([])
  const bytes = [MAX_BATCH_BYTES - 1, 1, 1].map((length) => ({ clicks: 1, bytes: length }))
  expect(firstOf(bytes)).toHaveLength(2)
})
