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
})
