import { describe, expect, it } from 'vitest'
import { periodsUntil } from './periods.ts'

const at = (text: string): number => Date.parse(`${text}Z`)
const starts = (from: string, interval: 'month' | 'year', until: string): string[] =>
  periodsUntil(at(from), interval, at(until)).map(({ startMs }) =>
    new Date(startMs).toISOString().slice(0, 10),
  )

describe('periodsUntil', () => {
  it('begins with the plan, even at its very first moment', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-03-05T10:00')).toEqual(['2026-03-05'])
  })

  it('begins the next at the same time of day, not a moment sooner', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-04-05T09:59:59.999')).toHaveLength(1)
    expect(starts('2026-03-05T10:00', 'month', '2026-04-05T10:00')).toEqual(['2026-03-05', '2026-04-05'])
  })

  it('takes the last day of a month that is too short, and comes back to the 31st', () => {
    expect(starts('2026-01-31T00:00', 'month', '2026-05-31T00:00')).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  it('knows leap years', () => {
    expect(starts('2024-02-29T00:00', 'year', '2028-03-01T00:00')).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
  })

  it('leaves nothing between two periods', () => {
    const periods = periodsUntil(at('2025-10-31T23:59:59.999'), 'month', at('2028-01-01T00:00'))
    for (const [index, period] of periods.entries())
      expect(period.endMs).toBe(periods[index + 1]?.startMs ?? period.endMs)
  })

  it('has one period for a clock that was set back', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-01-01T00:00')).toEqual(['2026-03-05'])
  })
})
