import { expect, test } from 'vitest'
import { ago, DAY_MS, dayOf } from './times.ts'

const NOW = Date.UTC(2030, 5, 15, 12)
const at = (ms: number): string => ago(new Date(NOW + ms).toISOString(), NOW)
const words = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'long' })

test.each([
  [-59_999, 'just now'],
  [59_999, 'just now'],
  [-60_000, words.format(-1, 'minute')],
  [-3_599_999, words.format(-60, 'minute')],
  [-3_600_000, words.format(-1, 'hour')],
  [-DAY_MS, words.format(-1, 'day')],
  [3 * DAY_MS, words.format(3, 'day')],
  [-14 * DAY_MS, words.format(-14, 'day')],
])('%i ms from now is %j', (ms, expected) => expect(at(ms)).toBe(expected))

test('more than two weeks away is a date', () => {
  const iso = new Date(NOW - 14 * DAY_MS - 1).toISOString()
  expect(ago(iso, NOW)).toBe(dayOf(iso))
})
