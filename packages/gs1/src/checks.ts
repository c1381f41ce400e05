import { checkDigit, checkPair } from './check-digit.ts'
import { COUNTRIES, COUNTRY_NUMBERS, CURRENCY_NUMBERS, PACKAGE_TYPES } from './code-lists.ts'
import { couponFault, offerFault } from './coupons.ts'
import { dayFault, timeFault } from './dates.ts'
import type { CheckName } from './identifier.ts'

/** What is wrong with a component of a value; the component has the right characters and is at most 90 long. */
type Check = (text: string) => string | undefined

const unless =
  (isRight: (text: string) => boolean, fault: string): Check =>
  (text) =>
    isRight(text) ? undefined : fault

/** GS1 Company Prefixes have at least four digits. */
const prefixFault = unless(
  (text) => /^\d{4}/.test(text),
  'it must begin with a GS1 Company Prefix, at least four digits',
)

/** ISO 13616: the country and its check digits at the end, letters as two digits, and the rest by 97 is 1. */
function ibanFault(text: string): string | undefined {
  if (!/^[0-9A-Z]{5,}$/.test(text)) return 'an IBAN has at least five digits and capital letters'
  let rest = 0
  for (const character of text.slice(4) + text.slice(0, 4)) {
    const number = parseInt(character, 36)
    rest = (rest * (number > 9 ? 100 : 10) + number) % 97
  }
  if (rest !== 1) return 'the check digits of the IBAN are wrong'
  return COUNTRIES.has(text.slice(0, 2)) ? undefined : 'unknown country of an IBAN'
}

function pieceFault(text: string): string | undefined {
  const [piece, total] = [Number(text.slice(0, text.length / 2)), Number(text.slice(text.length / 2))]
  if (piece === 0) return 'pieces are counted from 01'
  return piece > total ? 'the piece number is greater than the total' : undefined
}

function positionFault(text: string): string | undefined {
  const [, position, end] = /^([1-9]\d*)\/([1-9]\d*)$/.exec(text) ?? []
  if (position === undefined) return 'write a position and the total, such as 1/3'
  return Number(position) > Number(end) ? 'the position is greater than the total' : undefined
}

function checkDigitFault(text: string): string | undefined {
  const right = checkDigit(text.slice(0, -1))
  return text.endsWith(right) ? undefined : `the check digit is wrong: it should be ${right}`
}

function checkPairFault(text: string): string | undefined {
  if (text.length < 3) return 'too short for a check pair'
  const right = checkPair(text.slice(0, -2))
  return right !== undefined && text.endsWith(right)
    ? undefined
    : `the last two characters are a check pair and should be ${right}`
}

/** The checks of the syntax dictionary. */
export const CHECKS: Readonly<Record<CheckName, Check>> = {
  couponcode: couponFault,
  couponposoffer: offerFault,
  csum: checkDigitFault,
  csumalpha: checkPairFault,
  gcppos1: prefixFault,
  gcppos2: (text) => prefixFault(text.slice(1)),
  hasnondigit: unless((text) => /\D/.test(text), 'it must have a character that is not a digit'),
  hh: timeFault,
  hhmi: timeFault,
  hyphen: unless((text) => text === '-', 'after the digits only a hyphen may stand, for below zero'),
  iban: ibanFault,
  importeridx: unless((text) => /^[-0-9A-Z_a-z]$/.test(text), 'invalid importer index'),
  iso3166: unless((text) => COUNTRY_NUMBERS.has(text), 'unknown country number'),
  iso3166999: unless((text) => text === '999' || COUNTRY_NUMBERS.has(text), 'unknown country number'),
  iso3166alpha2: unless((text) => COUNTRIES.has(text), 'unknown country'),
  iso4217: unless((text) => CURRENCY_NUMBERS.has(text), 'unknown currency number'),
  iso5218: unless((text) => /^[0129]$/.test(text), 'the sex is 0, 1, 2 or 9'),
  latitude: unless((text) => text <= '1800000000', 'a latitude is at most 1800000000'),
  longitude: unless((text) => text <= '3600000000', 'a longitude is at most 3600000000'),
  mediatype: unless((text) => /^(?:0[1-9]|10|[89]\d)$/.test(text), 'unknown media type'),
  mi: unless((text) => text <= '59', 'invalid minute'),
  nonzero: unless((text) => /[^0]/.test(text), 'zero is not allowed'),
  nozeroprefix: unless((text) => text === '0' || !text.startsWith('0'), 'it must not begin with a zero'),
  packagetype: unless((text) => PACKAGE_TYPES.has(text), 'unknown package type'),
  pcenc: unless((text) => !/%(?![0-9A-Fa-f]{2})/.test(text), 'after % two hexadecimal digits must stand'),
  pieceoftotal: pieceFault,
  posinseqslash: positionFault,
  ss: unless((text) => text <= '59', 'invalid second'),
  winding: unless((text) => /^[019]$/.test(text), 'the winding direction is 0, 1 or 9'),
  yesno: unless((text) => /^[01]$/.test(text), 'it is 1 for yes or 0 for no'),
  yymmd0: (text) => dayFault(text, true),
  yymmdd: (text) => dayFault(text),
  yyyymmdd: (text) => dayFault(text),
  zero: unless((text) => text === '0', 'it must begin with a zero'),
}
