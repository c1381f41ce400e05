import { expect, test } from 'vitest'
import { customRange, dateBefore, daysBetween, intervalsFor, rangeOf } from './ranges.ts'

// In the time zone of the machine.
const now = new Date(2026, 10, 15, 10, 24, 31).getTime()

test('30 days are today and the 29 before', () =>
  expect(rangeOf('30d', undefined, now)).toEqual({ from: '2026-10-17', interval: 'day' }))

test('24 hours are this hour and the 23 before', () =>
  expect(rangeOf('24h', undefined, now)).toEqual({
    from: new Date(Math.floor(now / 3_600_000) * 3_600_000 - 23 * 3_600_000).toISOString(),
    interval: 'hour',
  }))

test.each([
  [new Date(2026, 10, 15, 0, 0), '2026-11-14'],
  [new Date(2026, 10, 15, 23, 59), '2026-11-14'],
  [new Date(2026, 2, 1, 12, 0), '2026-02-28'],
])('yesterday of %s is a day of the viewer', (at, date) => expect(dateBefore(1, at.getTime())).toBe(date))

test('the range stays the same within the unit', () =>
  expect(rangeOf('7d', undefined, now + 60_000)).toEqual(rangeOf('7d', undefined, now)))

test('a chosen interval takes precedence', () => expect(rangeOf('90d', 'month', now).interval).toBe('month'))

test('a custom range includes both its days', () => {
  expect(daysBetween('2026-11-01', '2026-11-15')).toBe(15)
  expect(customRange('2026-11-01', '2026-11-15', 'day')).toEqual({
    from: '2026-11-01',
    to: '2026-11-15',
    interval: 'day',
  })
})

test.each([
  [1, ['hour']],
  [7, ['hour', 'day']],
  [30, ['day', 'week']],
  [90, ['day', 'week', 'month']],
  [365, ['week', 'month']],
  [3650, ['month']],
])('%i days may be shown by %j', (days, intervals) => expect(intervalsFor(days)).toEqual(intervals))
