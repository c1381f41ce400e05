import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KeyIndex } from './key-index.ts'
import { markKeys, numberLinks, unpackKeys } from './season-links.ts'
import { bitsOf } from './link-bits.ts'

/** Keys have up to 52 bits, and their last 32 may be the same. */
const key = fc.oneof(
  fc.integer({ min: 1, max: 2 ** 52 - 1 }),
  fc.nat(1_000).map((n) => 2 ** 40 * n + 1),
)
const keys = fc.uniqueArray(key, { maxLength: 300 }).map((all) => Float64Array.from(all))

test('a link keeps the number that it has had since its first week', () => {
  fc.assert(
    fc.property(fc.array(keys, { minLength: 1, maxLength: 4 }), (weeks) => {
      let season = new Uint8Array()
      const numbered = weeks.map((week) => {
        const numbered = numberLinks(season, week)!
        season = numbered.keys ?? season
        expect(unpackKeys(season)).toHaveLength(numbered.limit)
        return numbered.numbers
      })
      const found = unpackKeys(season)
      expect(new Set(found)).toEqual(new Set(weeks.flatMap((week) => [...week])))
      weeks.forEach((week, n) =>
        expect(Float64Array.from(numbered[n]!, (number) => found[number]!)).toEqual(week),
      )
    }),
  )
})

test('a week whose links are all known adds no keys', () => {
  const week = Float64Array.of(5, 2 ** 51, 7)
  const { keys: first } = numberLinks(new Uint8Array(), week)!
  expect(numberLinks(first!, week.toReversed())).toEqual({
    numbers: Uint32Array.of(2, 1, 0),
    limit: 3,
    keys: undefined,
  })
})

test('marks the keys that are wanted, and no others', () => {
  fc.assert(
    fc.property(keys, keys, (all, wanted) => {
      const set = new Set(wanted)
      const places = Uint32Array.from(all.keys()).filter((place) => set.has(all[place]!))
      expect(markKeys(all, new KeyIndex(wanted))).toEqual(bitsOf(places, all.length))
    }),
  )
})
