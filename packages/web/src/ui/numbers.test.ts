import { expect, test } from 'vitest'
import { count, counted, lengthOf, noun, price, shortCount, whole } from './numbers.ts'

test('counts have all digits; those of axes have them up to 9,999', () => {
  expect(count(10_000)).toBe(whole.format(10_000))
  expect(shortCount(9_999)).toBe(whole.format(9_999))
  expect(shortCount(10_000).length).toBeLessThan(whole.format(10_000).length)
})

test('a noun follows its count', () => {
  expect([noun(0, 'link'), noun(1, 'link'), noun(2, 'link')]).toEqual(['links', 'link', 'links'])
  expect(counted(2, 'entry', 'entries')).toBe('2 entries')
})

test.each([
  ['EUR', 1_250, 12.5],
  ['JPY', 1_250, 1_250],
  ['BHD', 1_250, 1.25],
])('%s %i is an amount in the smallest unit', (currency, amount, value) => {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  expect(price(amount, currency)).toBe(format.format(value))
})

test('a text is as long as its characters', () => expect([lengthOf('é'), lengthOf('👋')]).toEqual([1, 1]))
