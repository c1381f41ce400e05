import { expect, test } from 'vitest'
import { momentOf } from '../../../ui/times.ts'
import { conditionsInWords, countryName, languageName } from './rule-words.ts'

test('a rule reads as a sentence', () => {
  expect(conditionsInWords({})).toBe('Every visitor')
  expect(conditionsInWords({ device: ['mobile'], os: [] as never })).toBe('Device is mobile')
  expect(conditionsInWords({ browser: ['Firefox', 'Safari'], device: ['mobile'] })).toBe(
    'Device is mobile and browser is Firefox or Safari',
  )
  const from = '2030-01-01T00:00:00.000Z'
  expect(conditionsInWords({ after: from })).toBe(`From ${momentOf(from)}`)
})

test('codes have names, and unknown ones stay as they are', () => {
  expect(countryName('de')).not.toBe('de')
  expect([countryName('x'), languageName('!')]).toEqual(['X', '!'])
})
