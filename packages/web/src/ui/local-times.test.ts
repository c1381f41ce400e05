import { expect, test } from 'vitest'
import { isoOf, localTextOf } from './local-times.ts'

test.each(['start', 'end'] as const)(
  'a date means the %s of that day in the time zone of the browser',
  (edge) => {
    const iso = isoOf('2030-07-01', edge)
    expect(localTextOf(iso, edge)).toBe('2030-07-01')
    expect(localTextOf(iso, edge === 'end' ? 'start' : 'end')).toMatch(/^2030-07-01T/)
  },
)

test('a time is exact', () => {
  const iso = isoOf('2030-07-01T18:30', 'end')
  expect(iso).toBe(new Date(2030, 6, 1, 18, 30).toISOString())
  expect(localTextOf(iso, 'end')).toBe('2030-07-01T18:30')
})

test('an empty value is null, and an invalid time is sent to the server', () => {
  expect(isoOf('', 'end')).toBeNull()
  expect(localTextOf(null, 'end')).toBe('')
  expect(isoOf('soon', 'end')).toBe('soon')
})
