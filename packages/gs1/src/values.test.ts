import bwip from '@bwip-js/node'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Element } from './elements.ts'
import { IDENTIFIERS } from './identifiers.gen.ts'
import { ALL_NUMBERS, rightElement, rightValue } from './values.testing.ts'
import { valueFault } from './values.ts'

/** Values alone are compared: what is missing beside them is no matter. */
const OPTIONS = { parse: true, lintreqs: false }

/** Whether bwip-js, which has its own table and its own checks, finds an element right. */
const isRightElsewhere = ([ai, value]: Element): boolean => {
  try {
    // An opening parenthesis would begin the next element; ^040 stands for it.
    const text = `(${ai})${value.replaceAll('(', '^040')}`
    // oxlint-disable-next-line import/no-named-as-default-member -- the named export is a barcode of that name
    bwip.raw('gs1datamatrix', text, OPTIONS)
    return true
  } catch (error) {
    if (error instanceof Error && /: AI \d+: /.test(error.message)) return false
    throw error
  }
}

const changedElement = fc
  .tuple(
    rightElement,
    fc.nat(),
    fc.constantFrom(...'0123456789AZaz-_/%=+#(é '.split('')),
    fc.constantFrom('put', 'cut', 'add'),
  )
  .map(([[ai, value], at, character, change]): Element => {
    const place = at % value.length
    if (change === 'cut') return [ai, value.slice(0, place) + value.slice(place + 1)]
    return [ai, value.slice(0, place) + character + value.slice(place + (change === 'put' ? 1 : 0))]
  })

describe('values', () => {
  it('right ones of every identifier are right', () => {
    for (const ai of ALL_NUMBERS)
      for (const value of fc.sample(rightValue(ai), { numRuns: 5, seed: 7 }))
        expect([ai, value, valueFault(ai, value)]).toEqual([ai, value, undefined])
  })

  it('bwip-js finds the same values right, and the same wrong', () => {
    for (const { first } of IDENTIFIERS) {
      const [value = ''] = fc.sample(rightValue(first), { numRuns: 1, seed: 8 })
      expect([first, value, isRightElsewhere([first, value])]).toEqual([first, value, true])
    }
    fc.assert(
      fc.property(changedElement, (element) => {
        const fault = valueFault(...element)
        // The dictionary asks for four digits, bwip-js for two.
        fc.pre(fault?.includes('Company Prefix') !== true)
        expect([element, fault, fault === undefined]).toEqual([element, fault, isRightElsewhere(element)])
      }),
      { numRuns: 300 },
    )
  })

  // From the standards and from the linters' own descriptions; what is on one side of a limit and on the other.
  it.each<[ai: string, right: string[], wrong: [value: string, fault: string][]]>([
    [
      '00',
      ['006141411234567890'],
      [['006141411234567891', 'The check digit of (00) is wrong: it should be 0']],
    ],
    [
      '01',
      ['09506000134352', '00000096385074'],
      [
        ['9506000134352', '(01): too short: a GTIN has 14 digits here, with zeros in front'],
        ['095060001343520', '(01): too long: a GTIN has 14 digits here, with zeros in front'],
        ['09506000134353', 'The check digit of (01) is wrong: it should be 2'],
        ['0950600013435A', '(01): only digits are allowed here'],
      ],
    ],
    [
      '10',
      ['A', '!"%&\'()*+,-./_?:;<=>', 'x'.repeat(20)],
      [
        ['', '(10): too short'],
        ['x'.repeat(21), '(10): too long'],
        ['A B', '(10): only letters from A to Z, digits and !"%&\'()*+,-./:;<=>?_ are allowed here'],
        ['A#B', '(10): only letters from A to Z, digits and !"%&\'()*+,-./:;<=>?_ are allowed here'],
        ['é', '(10): only letters from A to Z, digits and !"%&\'()*+,-./:;<=>?_ are allowed here'],
      ],
    ],
    [
      '17',
      ['261231', '261200', '280229', '000229'],
      [
        ['261331', '(17): invalid month'],
        ['260001', '(17): invalid month'],
        ['270229', '(17): invalid day of the month'],
        ['260431', '(17): invalid day of the month'],
      ],
    ],
    ['7006', ['260101'], [['260100', '(7006): invalid day of the month']]],
    ['7250', ['19000228', '20000229'], [['19000229', '(7250): invalid day of the month']]],
    [
      '7003',
      ['2601012359'],
      [
        ['2601012400', '(7003): invalid hour'],
        ['2601012360', '(7003): invalid minute'],
      ],
    ],
    [
      '8008',
      ['26010123', '2601012359', '260101235959'],
      [
        ['26010124', '(8008): invalid hour'],
        ['2601012360', '(8008): invalid minute'],
        ['260101235960', '(8008): invalid second'],
        ['260101235', '(8008): too short'],
      ],
    ],
    [
      '253',
      ['4012345123456', '4012345123456ABC'],
      [['4012345123457', 'The check digit of (253) is wrong: it should be 6']],
    ],
    ['401', ['1234A'], [['123A4', '(401): it must begin with a GS1 Company Prefix, at least four digits']]],
    [
      '402',
      ['12345678901234560'],
      [['12345678901234567', 'The check digit of (402) is wrong: it should be 0']],
    ],
    ['421', ['276A'], [['999A', '(421): unknown country number']]],
    ['7030', ['999A', '276A'], [['998A', '(7030): unknown country number']]],
    [
      '4307',
      ['DE'],
      [
        ['XX', '(4307): unknown country'],
        ['de', '(4307): unknown country'],
      ],
    ],
    [
      '3910',
      ['9781', '924123'],
      [
        ['0001', '(3910): unknown currency number'],
        ['978', '(3910): too short'],
      ],
    ],
    ['4300', ['A%20B'], [['A%2', '(4300): after % two hexadecimal digits must stand']]],
    [
      '4309',
      ['18000000003600000000'],
      [
        ['18000000010000000000', '(4309): a latitude is at most 1800000000'],
        ['00000000003600000001', '(4309): a longitude is at most 3600000000'],
      ],
    ],
    ['4321', ['0', '1'], [['2', '(4321): it is 1 for yes or 0 for no']]],
    [
      '4330',
      ['001234', '001234-'],
      [['001234+', '(4330): after the digits only a hyphen may stand, for below zero']],
    ],
    ['7040', ['1ABC'], [['1AB!', '(7040): invalid importer index']]],
    ['7041', ['1A', 'APE'], [['ZZZ', '(7041): unknown package type']]],
    ['7241', ['01', '99'], [['11', '(7241): unknown media type']]],
    ['7252', ['9'], [['3', '(7252): the sex is 0, 1, 2 or 9']]],
    [
      '7258',
      ['1/3'],
      [
        ['4/3', '(7258): the position is greater than the total'],
        ['0/3', '(7258): write a position and the total, such as 1/3'],
      ],
    ],
    [
      '8001',
      ['00010000100101'],
      [
        ['00000000100101', '(8001): zero is not allowed'],
        ['00010000100121', '(8001): the winding direction is 0, 1 or 9'],
      ],
    ],
    [
      '8003',
      ['04012345123456', '04012345123456ABC'],
      [['14012345123456', '(8003): it must begin with a zero']],
    ],
    [
      '8006',
      ['095060001343520102'],
      [
        ['095060001343520302', '(8006): the piece number is greater than the total'],
        ['095060001343520002', '(8006): pieces are counted from 01'],
      ],
    ],
    [
      '8007',
      ['GB82WEST12345698765432'],
      [['GB82WEST12345698765431', '(8007): the check digits of the IBAN are wrong']],
    ],
    [
      '8010',
      ['1234A#-/'],
      [['1234a', '(8010): only capital letters from A to Z, digits and #-/ are allowed here']],
    ],
    ['8011', ['0', '10'], [['01', '(8011): it must not begin with a zero']]],
    // The example of the General Specifications: no modulo 10, but two characters.
    [
      '8013',
      ['1987654Ad4X4bL5ttr2310c2K'],
      [['1987654Ad4X4bL5ttr2310c2J', '(8013): the last two characters are a check pair and should be 2K']],
    ],
    [
      '8030',
      ['AbC-_', 'Ab=', 'A=='],
      [
        ['A+', '(8030): only letters from A to Z, digits, - and _ are allowed here'],
        ['A=', '(8030): only letters from A to Z, digits, - and _ are allowed here'],
      ],
    ],
    [
      '8110',
      ['0123456654321152390012', '012345665432115239001232612314260101'],
      [
        ['712345', "(8110): the coupon's length of the company prefix is wrong"],
        ['012345665432115239001', '(8110): the coupon ends before the end of its first purchase family code'],
        ['012345665432115239001232613314260101', "(8110): invalid month in the coupon's expiration date"],
        ['012345665432115239001232601014260102', '(8110): the coupon expires before it starts'],
        ['01234566543211523900127', '(8110): the coupon has fields that its format does not know'],
        ['0123456654321152390012A', '(8110): a coupon has digits only'],
      ],
    ],
    [
      '8112',
      ['001234566543210123456'],
      [['201234566543210123456', "(8112): the coupon's format code is wrong"]],
    ],
  ])('(%s)', (ai, right, wrong) => {
    for (const value of right) expect([value, valueFault(ai, value)]).toEqual([value, undefined])
    for (const [value, fault] of wrong) expect([value, valueFault(ai, value)]).toEqual([value, fault])
  })

  it('says that an unknown identifier is none, and does not repeat a long one', () => {
    expect(valueFault('9999', '1')).toBe('There is no application identifier (9999)')
    expect(valueFault('9'.repeat(1000), '1')).toBe(`There is no application identifier (${'9'.repeat(20)}…)`)
  })
})
