import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { bitCount, bitsOf } from './link-bits.ts'
import { chooseLinks, packLinks, unpackLinks } from './week-links.ts'

const numbers = fc.uniqueArray(fc.nat(299), { maxLength: 300 }).map((all) => Uint32Array.from(all))

test('chooses the links that are wanted, or the others if these are fewer', () => {
  fc.assert(
    fc.property(numbers, numbers, fc.integer({ min: 300, max: 400 }), (present, wanted, seasonLimit) => {
      const links = unpackLinks(packLinks(bitsOf(present, 300)))
      expect(links.limit).toBe(300)
      const { places, isRest } = chooseLinks(links, bitsOf(wanted, seasonLimit))
      const isWanted = new Set(wanted)
      const chosen = Array.from(present.toSorted(), (number) => isWanted.has(number) !== isRest)
      expect([...places]).toEqual([...chosen.keys()].filter((place) => chosen[place]))
      expect(2 * places.length).toBeLessThanOrEqual(present.length)
    }),
  )
})

test('counts bits', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 32 - 1 }), (bits) => {
      expect(bitCount(bits)).toBe(bits.toString(2).replaceAll('0', '').length)
    }),
  )
  expect(bitCount(-1)).toBe(32)
})
