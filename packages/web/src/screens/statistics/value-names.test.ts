import { expect, test } from 'vitest'
import { UNKNOWN, valueName } from './value-names.ts'

test.each([
  ['referrer', '', 'Direct'],
  ['referrer', UNKNOWN, 'Direct'],
  ['country', 'unknown', 'Unknown'],
  ['browser', '', 'Other'],
  ['utm_source', '', 'None'],
  ['browser', '(other)', 'All others'],
  ['source', 'qr', 'QR code or barcode'],
  ['rule', '0', 'Rule 1'],
  ['rule', 'ios', 'iOS destination'],
  ['device', 'mobile', 'Mobile'],
  ['utm_source', 'newsletter', 'newsletter'],
  ['country', 'T1', 'T1'],
] as const)('%s %j is shown as %j', (by, value, name) => expect(valueName(by, value)).toBe(name))

test('countries and languages have names', () => {
  expect(valueName('country', 'de')).not.toBe('de')
  expect(valueName('language', 'de')).not.toBe('de')
})
