import * as fc from 'fast-check'
import { checkDigit, checkPair } from './check-digit.ts'
import { COUNTRIES, COUNTRY_NUMBERS, CURRENCY_NUMBERS, PACKAGE_TYPES } from './code-lists.ts'
import type { Element } from './elements.ts'
import type { CheckName, Component } from './identifier.ts'
import { IDENTIFIERS } from './identifiers.gen.ts'
import { identifierOf, numbersOf } from './identifiers.ts'

/* Right values of every application identifier, for property tests. */

/** Every application identifier. */
export const ALL_NUMBERS: readonly string[] = IDENTIFIERS.flatMap(numbersOf)

const SETS = {
  N: '0123456789',
  X: '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
  Y: '#-/0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  Z: '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz',
}

const text = (set: keyof typeof SETS, minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...SETS[set].split('')), minLength, maxLength })
const digits = (length: number): fc.Arbitrary<string> => text('N', length, length)
const padded = (from: number, to: number): fc.Arbitrary<string> =>
  fc.integer({ min: from, max: to }).map((number) => String(number).padStart(String(to).length, '0'))
const oneOf = (words: Iterable<string>): fc.Arbitrary<string> => fc.constantFrom(...words)

const day = padded(1, 28)
const month = padded(1, 12)
const time = fc.tuple(padded(0, 23), padded(0, 59)).map((parts) => parts.join(''))
const iban = fc.tuple(oneOf(COUNTRIES), text('Y', 1, 30)).map(([country, account]) => {
  const rest = account.replaceAll(/[^0-9A-Z]/g, '0')
  const number = `${rest}${country}00`
    .split('')
    .map((one) => parseInt(one, 36))
    .join('')
  return `${country}${String(98 - Number(BigInt(number) % 97n)).padStart(2, '0')}${rest}`
})

/** Right data for the checks that say more than which characters are allowed. */
const BY_CHECK: Partial<Record<CheckName, fc.Arbitrary<string>>> = {
  couponcode: fc
    .tuple(digits(6), digits(6), digits(3))
    .map(([prefix, offer, family]) => `0${prefix}${offer}15130${family}`),
  couponposoffer: fc
    .tuple(digits(6), digits(6), digits(6))
    .map((parts) => `10${parts.join('').replace(/^(.{12})/, '$10')}`),
  hh: padded(0, 23),
  hhmi: time,
  hyphen: fc.constant('-'),
  iban,
  iso3166: oneOf(COUNTRY_NUMBERS),
  iso3166999: oneOf([...COUNTRY_NUMBERS, '999']),
  iso3166alpha2: oneOf(COUNTRIES),
  iso4217: oneOf(CURRENCY_NUMBERS),
  iso5218: oneOf('0129'),
  importeridx: text('Z', 1, 1),
  latitude: padded(0, 1_800_000_000),
  longitude: padded(0, 3_600_000_000),
  mediatype: oneOf(['01', '10', '80', '99']),
  mi: padded(0, 59),
  packagetype: oneOf(PACKAGE_TYPES),
  pieceoftotal: fc.constantFrom('0101', '0102', '9999', '0399'),
  posinseqslash: fc.constantFrom('1/1', '1/9', '8/9'),
  ss: padded(0, 59),
  winding: oneOf('019'),
  yesno: oneOf('01'),
  yymmd0: fc.tuple(digits(2), month, fc.oneof(day, fc.constant('00'))).map((parts) => parts.join('')),
  yymmdd: fc.tuple(digits(2), month, day).map((parts) => parts.join('')),
  yyyymmdd: fc.tuple(padded(1900, 2099), month, day).map((parts) => parts.join('')),
  zero: fc.constant('0'),
}

const componentValue = ({ set, min, max, checks = [] }: Component): fc.Arbitrary<string> => {
  const special = checks.map((check) => BY_CHECK[check]).find((one) => one !== undefined)
  if (special !== undefined) return special
  const has = (check: CheckName): boolean => checks.includes(check)
  const prefixed = has('gcppos1') ? 4 : 0
  const checked = has('csum') ? 1 : has('csumalpha') ? 2 : 0
  const rest = text(set, Math.max(0, min - prefixed - checked), max - prefixed - checked)
  return fc.tuple(digits(prefixed), rest).map((parts) => {
    const data = parts.join('')
    if (has('csum')) return data + checkDigit(data)
    if (has('csumalpha')) return withPair(has('hasnondigit') ? `${data.slice(0, 22)}A` : data)
    if (has('nozeroprefix') || has('nonzero')) return `1${data.slice(1)}`
    return has('pcenc') ? data.replaceAll('%', '') || 'A' : data
  })
}

const withPair = (data: string): string => data + (checkPair(data) ?? '')

/** A right value of an application identifier, with some of its optional parts. */
export const rightValue = (ai: string): fc.Arbitrary<string> => {
  const components = identifierOf(ai)?.components ?? []
  const required = components.filter(({ isOptional }) => isOptional !== true).length
  return fc
    .integer({ min: required, max: components.length })
    .chain((count) => fc.tuple(...components.slice(0, count).map(componentValue)))
    .map((parts) => parts.join(''))
}

/** An element with a right value. */
export const rightElement: fc.Arbitrary<Element> = fc
  .constantFrom(...ALL_NUMBERS)
  .chain((ai) => rightValue(ai).map((value): Element => [ai, value]))
