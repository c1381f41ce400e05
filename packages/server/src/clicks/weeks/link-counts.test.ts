import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { LinkCountsWriter, sumsOf, unpackCounts } from './link-counts.ts'
import { wantedLinks } from './week-links.ts'

const LINKS = 3_000
const VALUES = 4

/** Dense and nearly empty values, with links far apart, next to each other, and many clicks on some. */
const entries = fc
  .array(
    fc.record({
      link: fc.oneof(fc.nat(40), fc.nat(LINKS - 1)),
      value: fc.nat(VALUES - 1),
      count: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 1_000_000 })),
    }),
    { maxLength: 600 },
  )
  .map((all) => new Map(all.map((entry) => [`${entry.link} ${entry.value}`, entry])))
  .map((byPlace) => [...byPlace.values()].toSorted((a, b) => a.link - b.link))

/** Each link, all links, or none. */
const wanted = fc.oneof(
  fc.infiniteStream(fc.constantFrom(0, 1)).map((bits) => Uint8Array.from(bits.take(LINKS))),
  fc.constantFrom(0, 1).map((bit) => new Uint8Array(LINKS).fill(bit)),
)
const numbers = Uint32Array.from({ length: LINKS }, (_, link) => link)

test('the sums of any links are what adding up their counts gives', () => {
  fc.assert(
    fc.property(entries, wanted, (given, marks) => {
      const writer = new LinkCountsWriter(given.length)
      const expected = new Float64Array(VALUES)
      for (const { link, value, count } of given) {
        writer.add(link, value, count)
        if (marks[link] === 1) expected[value]! += count
      }
      const packed = writer.pack(['Zürich', '東京'], VALUES)
      const counts = unpackCounts(packed)
      expect(counts.texts).toEqual(['Zürich', '東京'])
      expect(sumsOf(counts, wantedLinks(numbers, marks))).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})

test('a value that half of the links have takes a bit for each link, a rare one a byte', () => {
  const writer = new LinkCountsWriter(LINKS)
  for (let link = 0; link < LINKS; link++) {
    if (link % 2 === 0) writer.add(link, 0, 1)
    if (link % 100 === 0) writer.add(link, 1, 1)
  }
  const { bitmaps, steps } = unpackCounts(writer.pack([], 2))
  expect([bitmaps.length, steps.length]).toEqual([Math.ceil(LINKS / 32), LINKS / 100])
})
