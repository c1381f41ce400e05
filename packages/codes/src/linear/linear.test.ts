import bwip from '@bwip-js/node'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { encodedText, encodeLinear } from '../bars.ts'
import { CodeError } from '../code-error.ts'
import type { LinearSymbology } from '../symbology.ts'

/** The result of another encoder: alternating widths, one digit each. */
const reference = (symbology: LinearSymbology, text: string): number[] => {
  // oxlint-disable-next-line import/no-named-as-default-member -- the named export is a barcode of that name
  const [symbol] = bwip.raw(symbology, text, {}) as { sbs: number[] }[]
  const widths = symbol?.sbs ?? []
  // Some end with the space before the next character, which belongs to the quiet zone.
  return widths.slice(0, widths.length - 1 + (widths.length % 2))
}

const widthsOf = (symbology: LinearSymbology, text: string): number[] => {
  const widths: number[] = []
  let last = -1
  for (const cell of encodeLinear(text, symbology).cells) {
    if (cell === last) widths[widths.length - 1]!++
    else widths.push(1)
    last = cell
  }
  return widths
}

const digits = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'.split('')), minLength: length, maxLength: length })

describe('the same bars as another encoder', () => {
  test.each([
    ['ean13', digits(12)],
    ['ean8', digits(7)],
    ['upca', digits(11)],
    ['code39', fc.stringMatching(/^[0-9A-Z. $/+%-]{1,30}$/)],
  ] as const)('%s', (symbology, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(widthsOf(symbology, text)).toEqual(reference(symbology, text))
      }),
      { numRuns: 300 },
    )
  })

  test('itf14, whose wide bars are three times as wide as narrow ones, and twice in the other encoder', () => {
    fc.assert(
      fc.property(digits(13), (text) => {
        expect(widthsOf('itf14', text).map((width) => Math.min(width, 2))).toEqual(reference('itf14', text))
      }),
      { numRuns: 300 },
    )
  })

  test('code128, never with more symbols', () => {
    const character = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...'0123456789'.split('')) },
      { weight: 3, arbitrary: fc.constantFrom('a', 'B', '/', ' ', '~') },
      { weight: 1, arbitrary: fc.constantFrom('\t', '\u0000', '\u001f') },
    )
    fc.assert(
      fc.property(fc.string({ unit: character, minLength: 1, maxLength: 60 }), (text) => {
        const modules = reference('code128', text).reduce((sum, width) => sum + width, 0)
        expect(encodeLinear(text, 'code128').columns).toBeLessThanOrEqual(modules)
      }),
      { numRuns: 500 },
    )
  })
})

describe('check digits', () => {
  test.each([
    ['ean13', '400638133393', '4006381333931'],
    ['ean13', '4006381333931', '4006381333931'],
    ['ean8', '9031101', '90311017'],
    ['upca', '03600029145', '036000291452'],
    ['itf14', '1234567890123', '12345678901231'],
    ['ean8', '0000000', '00000000'],
  ] as const)('%s of %s is %s', (symbology, value, whole) => {
    expect(encodedText(value, symbology)).toBe(whole)
    expect(encodeLinear(value, symbology)).toEqual(encodeLinear(whole, symbology))
  })

  test.each([
    ['ean13', '4006381333932', 'The check digit of 4006381333932 is wrong: it should be 1'],
    ['ean13', '40063813339', 'An EAN-13 code has 13 digits; the last may be left out and is then added'],
    ['ean8', '9031101a', 'An EAN-8 code has 8 digits; the last may be left out and is then added'],
    ['upca', '', 'A UPC-A code has 12 digits; the last may be left out and is then added'],
    ['itf14', '１234567890123', 'An ITF-14 code has 14 digits; the last may be left out and is then added'],
  ] as const)('%s rejects %j', (symbology, value, sentence) => {
    expect(() => encodeLinear(value, symbology)).toThrow(new CodeError('unencodable', sentence))
  })
})

test('rejects text that a symbology cannot encode', () => {
  expect(() => encodeLinear('sku', 'code39')).toThrow(/capital letters/)
  expect(() => encodeLinear('日本', 'code128')).toThrow(/Data Matrix/)
})
