import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitsOf } from './link-bits.ts'
import { LinkCountsWriter, sumsOf, unpackCounts } from './link-counts.ts'
import { chooseLinks } from './week-links.ts'

const LINKS = 3_000
const ALL = Uint32Array.from({ length: LINKS }, (_, link) => link)

/** Links far apart and next to each other, and many clicks on some. */
const entriesOf = (values: number) =>
  fc
    .array(
      fc.record({
        link: fc.oneof(fc.nat(40), fc.nat(LINKS - 1)),
        value: fc.nat(values - 1),
        count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 100_000 })),
      }),
      { maxLength: 600 },
    )
    .map((all) => new Map(all.map((entry) => [`${entry.link} ${entry.value}`, entry])))
    .map((byPlace) => [...byPlace.values()].toSorted((a, b) => a.link - b.link))

/** Few links, most of them, any, all or none. */
const wanted = fc
  .oneof(
    fc.infiniteStream(fc.constantFrom(0, 1)).map((bits) => [...bits.take(LINKS)]),
    fc.infiniteStream(fc.nat(100)).map((stream) => [...stream.take(LINKS)].map((n) => (n === 0 ? 1 : 0))),
    fc.infiniteStream(fc.nat(100)).map((stream) => [...stream.take(LINKS)].map((n) => (n === 0 ? 0 : 1))),
    fc.constantFrom(0, 1).map((bit) => Array.from({ length: LINKS }, () => bit)),
  )
  .map((marks) => ALL.filter((link) => marks[link] === 1))

/** Codes of many counts, of one or two, and of two bytes. */
test.each([1, 4, 100, 255, 256, 2_001])('sums of any links, with %i values', (values) => {
  fc.assert(
    fc.property(entriesOf(values), wanted, (given, links) => {
      const isWanted = new Set(links)
      const writer = new LinkCountsWriter(given.length)
      const expected = new Float64Array(values)
      for (const { link, value, count } of given) {
        writer.add(link, value, count)
        if (isWanted.has(link)) expected[value]! += count
      }
      const counts = unpackCounts(writer.pack(['Zürich', '東京'], values))
      expect(counts.texts).toEqual(['Zürich', '東京'])
      const chosen = chooseLinks(bitsOf(ALL, LINKS), bitsOf(links, LINKS))
      expect(sumsOf(counts, chosen)).toEqual(expected)
    }),
    { numRuns: 60 },
  )
})

test('no values and no links', () => {
  const counts = unpackCounts(new LinkCountsWriter(0).pack([], 0))
  const none = bitsOf(new Uint32Array(), 0)
  expect(sumsOf(counts, chooseLinks(none, none))).toEqual(new Float64Array())
})

test('a value of a link takes one byte, and three if it came up often', () => {
  const sizeOf = (count: number): number => {
    const writer = new LinkCountsWriter(LINKS)
    for (let link = 0; link < LINKS; link++) writer.add(link, link % 100, count)
    return writer.pack([], 100).length
  }
  expect(sizeOf(2)).toBe(sizeOf(1))
  expect(sizeOf(3) - sizeOf(2)).toBe(2 * LINKS)
  expect(sizeOf(255)).toBe(sizeOf(3))
  expect(sizeOf(256) - sizeOf(255)).toBe(2 * LINKS)
})

test('an offset holds what a block of links with each value has', () => {
  const [links, values] = [33, 2_001]
  const writer = new LinkCountsWriter(links * values)
  for (let link = 0; link < links; link++)
    for (let value = 0; value < values; value++) writer.add(link, value, 20)
  const counts = unpackCounts(writer.pack([], values))
  const last = chooseLinks(bitsOf(ALL.slice(0, links), links), bitsOf(Uint32Array.of(15, 31, 32), links))
  expect(sumsOf(counts, last)).toEqual(new Float64Array(values).fill(60))
})
