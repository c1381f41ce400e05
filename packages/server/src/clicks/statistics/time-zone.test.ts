import { describe, expect, test } from 'vitest'
import { openTimeZone } from './time-zone.ts'

describe('startOf', () => {
  test.each([
    ['2026-11-15T23:59:59.999Z', 'week', '2026-11-09T00:00:00.000Z'],
    ['2026-11-16T00:00:00.000Z', 'week', '2026-11-16T00:00:00.000Z'],
    ['2024-02-29T12:00:00.000Z', 'month', '2024-02-01T00:00:00.000Z'],
    ['2026-11-15T23:59:59.999Z', 'day', '2026-11-15T00:00:00.000Z'],
    ['2026-11-15T23:59:59.999Z', 'hour', '2026-11-15T23:00:00.000Z'],
  ] as const)('%s by %s is %s', (at, interval, bucket) => {
    const start = openTimeZone('UTC').startOf(Date.parse(at), interval)
    expect(new Date(start).toISOString()).toBe(bucket)
  })

  test.each([
    // The hour after midnight occurs twice.
    ['Atlantic/Azores', '2026-10-25T12:00:00.000Z', '2026-10-25T00:00:00.000Z'],
    ['Atlantic/Azores', '2026-10-25T00:30:00.000Z', '2026-10-25T00:00:00.000Z'],
    ['America/Havana', '2026-11-01T12:00:00.000Z', '2026-11-01T04:00:00.000Z'],
    // The hour before midnight occurs twice.
    ['Asia/Beirut', '2026-10-24T21:30:00.000Z', '2026-10-23T21:00:00.000Z'],
    ['Asia/Beirut', '2026-10-24T22:30:00.000Z', '2026-10-24T22:00:00.000Z'],
    // The hour after midnight is skipped.
    ['Africa/Cairo', '2026-04-24T12:00:00.000Z', '2026-04-23T22:00:00.000Z'],
    ['Africa/Cairo', '2026-04-23T12:00:00.000Z', '2026-04-22T22:00:00.000Z'],
    ['Asia/Kathmandu', '2026-04-23T18:15:00.000Z', '2026-04-23T18:15:00.000Z'],
  ])('in %s the day of %s begins at %s', (name, at, start) => {
    const zone = openTimeZone(name)
    expect(new Date(zone.startOf(Date.parse(at), 'day')).toISOString()).toBe(start)
  })

  test.each(['Atlantic/Azores', 'America/Havana', 'Africa/Cairo', 'Europe/Berlin'])(
    'in %s every moment is in the day that ends after it',
    (name) => {
      const zone = openTimeZone(name)
      const last = Date.UTC(2027, 0)
      for (let at = zone.startOf(Date.UTC(2026, 0), 'day'); at < last; at = zone.endOf(at, 'day'))
        for (let moment = at; moment < zone.endOf(at, 'day'); moment += 30 * 60_000)
          expect(zone.startOf(moment, 'day')).toBe(at)
    },
  )
})
