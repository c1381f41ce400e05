import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { visualOrder } from './bidi.ts'

const shown = (text: string) => visualOrder(text).join('')

test.each([
  ['left to right stays', 'Menu (2) – ok', 'Menu (2) – ok'],
  ['Hebrew is turned round', 'שלום', 'םולש'],
  ['numbers within Hebrew keep their order', 'חדר 123', '123 רדח'],
  ['Latin within Hebrew keeps its order', 'שלום world עולם', 'םלוע world םולש'],
  ['Hebrew within Latin is turned in its place', 'say שלום now', 'say םולש now'],
  ['brackets around Latin in Hebrew open towards the reader', 'שלום (world) 123', '123 (world) םולש'],
  ['brackets around Hebrew in Hebrew are mirrored', '(שלום)', '(םולש)'],
  ['a price keeps its decimal point', 'מחיר 12.50', '12.50 ריחמ'],
  ['a price keeps its currency on the side of the digits', 'מחיר ₪12.50', '₪12.50 ריחמ'],
  ['a price in Arabic', 'السعر 12.50', `12.50 ${shown('السعر')}`],
  ['a price with Arabic digits', '\u0661\u0662\u066B\u0665 د', 'ﺩ \u0661\u0662\u066B\u0665'],
  ['thousands', 'סך 1,234,567.89', '1,234,567.89 ךס'],
  ['a time', 'פתוח 09:30', '09:30 חותפ'],
  ['a date with slashes', 'תאריך 31/12/2026', '31/12/2026 ךיראת'],
  ['per cent', 'הנחה 50%', '50% החנה'],
  ['a full stop at the end goes to the left end', 'שלום.', '.םולש'],
  ['a number first in Latin text with Hebrew behind it', 'No. 12.50 שלום', 'No. 12.50 םולש'],
  ['an isolate', 'a \u2067שלום 1\u2069 b', 'a \u20671 םולש b'],
  ['a line break does not begin another paragraph', 'שלום\nworld', 'world םולש'],
])('%s', (_, text, expected) => expect(shown(text)).toBe(expected))

test.each([
  '03-555-1234',
  '+972 3 555 1234',
  '+44 (20) 7946 0958',
  '(03) 555-1234',
  '2026-12-31',
  '0501234567',
])('the grouped number %s stays whole beside any script', (number) => {
  expect(shown(`Call ${number}.`)).toBe(`Call ${number}.`)
  expect(shown(`טל ${number}.`)).toBe(`.${number} לט`)
  expect(shown(`هاتف: ${number}`)).toBe(`${number} :${shown('هاتف')}`)
  expect(shown(`${number} טל`)).toBe(`לט ${number}`)
})

test('short numbers separated by spaces are separate numbers', () => {
  expect(shown('דף 12 34')).toBe('34 12 ףד')
})

test('a family emoji is one cluster', () => {
  expect(visualOrder('a👨‍👩‍👧b')).toEqual(['a', '👨‍👩‍👧', 'b'])
  expect(visualOrder('ש👨‍👩‍👧ב')).toEqual(['ב', '👨‍👩‍👧', 'ש'])
})

test('a letter keeps its combining marks', () => {
  expect(visualOrder('שָׁל')).toEqual(['ל', 'שָׁ'])
})

test('Arabic letters join: initial, medial, final; lam and alef are one', () => {
  expect(shown('بيت')).toBe('\uFE96\uFEF4\uFE91')
  expect(shown('لا')).toBe('\uFEFB')
  // Dal does not join with the following letter.
  expect(shown('دب')).toBe('\uFE8F\uFEA9')
})

const words = fc.constantFrom(
  'שלום',
  'מחיר',
  'world',
  '12.50',
  '09:30',
  '1,000',
  '(',
  ')',
  ' ',
  '-',
  '.',
  '😀',
  '%',
  '₪',
)

test('in any mix, every character is shown once and numbers are not reversed', () => {
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
      const order = visualOrder(parts.join(' '))
      const mirrored = (text: string) => text.replaceAll(')', '(')
      expect(Array.from(mirrored(order.join(''))).toSorted()).toEqual(
        Array.from(mirrored(parts.join(' '))).toSorted(),
      )
      for (const part of parts) if (/^\d/.test(part)) expect(order.join('')).toContain(part)
    }),
    { numRuns: 500 },
  )
})
