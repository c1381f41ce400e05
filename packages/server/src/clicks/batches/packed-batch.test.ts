import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Batch, clicksOf, mergeBatches, packBatch } from './packed-batch.ts'
import { KINDS, type StoredClick, TEXT_COLUMNS, type TextColumn } from './stored-click.ts'

const DAY = Date.UTC(2026, 10, 15)
const LINK = '019a0000-0000-7000-8000-00000000000a'
const texts = Object.fromEntries(
  TEXT_COLUMNS.map((column) => [column, fc.string({ unit: 'grapheme' })]),
) as Record<TextColumn, fc.Arbitrary<string>>
const clicks: fc.Arbitrary<StoredClick[]> = fc.array(
  fc.record({
    ...texts,
    resourceUuid: fc.uuid(),
    atMs: fc.integer({ min: DAY, max: DAY + 86_399_999 }),
    kind: fc.constantFrom(...KINDS),
    bot: fc.boolean(),
    scanned: fc.boolean(),
    visitor: fc.integer({ min: 0, max: 2 ** 48 - 1 }),
  }),
  { maxLength: 300 },
)
const byTime = (all: readonly StoredClick[]): StoredClick[] => all.toSorted((a, b) => a.atMs - b.atMs)
const unpacked = (packed: Uint8Array): StoredClick[] => [...clicksOf(new Batch(packed), DAY)]
const nothing = Object.fromEntries(TEXT_COLUMNS.map((column) => [column, ''])) as Record<TextColumn, string>
const click = (fields: Partial<StoredClick> = {}): StoredClick => ({
  ...nothing,
  atMs: DAY,
  kind: 'link',
  resourceUuid: LINK,
  bot: false,
  scanned: false,
  visitor: 1,
  ...fields,
})

test('clicks are unpacked as they were packed, sorted by time, at any alignment of the bytes', () => {
  fc.assert(
    fc.property(clicks, fc.integer({ min: 0, max: 7 }), (given, offset) => {
      const packed = packBatch(given, DAY)
      const moved = Buffer.alloc(packed.length + offset)
      packed.copy(moved, offset)
      expect(unpacked(moved.subarray(offset))).toEqual(byTime(given))
    }),
    { numRuns: 100 },
  )
})

test('merging keeps every click, sorted by time', () => {
  fc.assert(
    fc.property(fc.array(clicks, { minLength: 1, maxLength: 4 }), (given) => {
      const merged = mergeBatches(given.map((some) => new Batch(packBatch(some, DAY))))
      expect(unpacked(merged)).toEqual(byTime(given.flat()))
    }),
    { numRuns: 50 },
  )
})

test('handles more than 256 and more than 65,536 different texts and links', () => {
  const uuidOf = (n: number): string => `019a0000-0000-7000-8000-${n.toString(16).padStart(12, '0')}`
  const many = Array.from({ length: 70_000 }, (_, n) =>
    click({
      atMs: DAY + n,
      referrer: String(n),
      utm_source: String(n % 300),
      resourceUuid: uuidOf(n),
      visitor: n,
    }),
  )
  const fields = ({ referrer, utm_source, resourceUuid, visitor }: StoredClick) =>
    [referrer, utm_source, resourceUuid, visitor].join(' ')
  expect(unpacked(packBatch(many, DAY)).map(fields).join('\n')).toBe(many.map(fields).join('\n'))
})

test('a column that only some batches have reads as unknown in the others and survives merging', () => {
  // As a later version would write it: `country` under a name that this version does not know.
  const later = Buffer.from(
    packBatch([click({ country: 'FR' })], DAY)
      .toString('latin1')
      .replace('country', 'dialect'),
    'latin1',
  )
  expect(unpacked(later)).toEqual([click()])
  const merged = new Batch(
    mergeBatches([new Batch(packBatch([click({ atMs: DAY + 1, country: 'DE' })], DAY)), new Batch(later)]),
  )
  expect([...clicksOf(merged, DAY)].map(({ country }) => country)).toEqual(['', 'DE'])
  const { texts: dialects, indexes } = merged.texts('dialect')
  expect([0, 1].map((at) => dialects[indexes?.[at] ?? 0])).toEqual(['FR', ''])
})

test('a click takes about 30 bytes', () => {
  const many = Array.from({ length: 27_000 }, (_, n) =>
    click({
      atMs: DAY + n * 3_000,
      visitor: (n * 7_919) % 2 ** 40,
      resourceUuid: `019a0000-0000-7000-8000-${((n * 31) % 9_000).toString(16).padStart(12, '0')}`,
      country: ['DE', 'FR', 'US'][n % 3]!,
      referrer: `${n % 200}.example`,
      device: ['mobile', 'desktop'][n % 2]!,
      browser: ['Safari', 'Chrome', 'Firefox'][n % 3]!,
      system: ['iOS', 'Windows'][n % 2]!,
      language: ['de', 'fr', 'en'][n % 3]!,
      utm_source: ['', 'mail'][n % 2]!,
    }),
  )
  expect(packBatch(many, DAY).length / many.length).toBeLessThan(32)
})

test('damaged bytes cause a RangeError, never an endless loop or a huge allocation', () => {
  const packed = packBatch([click(), click({ country: 'DE', atMs: DAY + 5 })], DAY)
  const read = (bytes: Buffer): void => {
    try {
      unpacked(bytes)
    } catch (error) {
      expect(error).toBeInstanceOf(RangeError)
    }
  }
  for (let length = 0; length < packed.length; length++) read(packed.subarray(0, length))
  fc.assert(
    fc.property(fc.nat(packed.length - 1), fc.nat(255), (at, byte) => {
      const damaged = Buffer.from(packed)
      damaged[at] = byte
      read(damaged)
    }),
    { numRuns: 500 },
  )
})

test('rejects a link that is not a uuid', () => {
  expect(() => packBatch([click({ resourceUuid: 'nonsense' })], DAY)).toThrow(RangeError)
})
