import { expect, test, vi } from 'vitest'
import { pointLabel } from './time-format.ts'

test('points are named without a new formatter for each', () => {
  const created = vi.spyOn(Intl, 'DateTimeFormat')
  const at = '2026-03-05T12:00:00Z'
  expect(pointLabel(at, 'week', 'long')).toMatch(/^Week of .*2026/)
  for (const interval of ['hour', 'day', 'month'] as const)
    for (const length of ['short', 'long'] as const) expect(pointLabel(at, interval, length)).not.toBe('')
  expect(created).not.toHaveBeenCalled()
})
