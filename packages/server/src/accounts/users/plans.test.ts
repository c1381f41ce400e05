import { describe, expect, it } from 'vitest'
import { parsePlans, periodsUntil } from './plans.ts'

describe('parsePlans', () => {
  it('has one plan without limits by default', () => {
    const plans = parsePlans(undefined)
    expect(plans.initial).toBe('free')
    expect(plans.find('free')).toEqual({
      name: 'free',
      price: 0,
      currency: 'USD',
      interval: 'month',
      taxRate: 0,
      limits: { links: null, qrcodes: null, barcodes: null, pages: null, utm: null, domains: null },
      storageMb: 10_240,
      workspaces: 5,
    })
    expect(plans.limits('links')).toBe(false)
  })

  it.each([
    ['an object by name', { basic: { limits: { links: 5 } }, free: { price: 0 } }],
    ['a list', [{ name: 'basic', limits: { links: 5 } }, { name: 'free' }]],
    ['either inside "plans"', { plans: [{ name: 'basic', limits: { links: 5 } }, { name: 'free' }] }],
  ])('takes %s, and gives new accounts the free one', (_, value) => {
    const plans = parsePlans(value)
    expect([plans.initial, plans.find('basic')?.limits.links, plans.limits('links')]).toEqual([
      'free',
      5,
      true,
    ])
  })

  it('gives new accounts the first plan if none is free', () => {
    expect(parsePlans({ basic: {}, gold: {} }).initial).toBe('basic')
  })

  it('writes currencies in capitals', () => {
    expect(parsePlans({ basic: { currency: 'eur' } }).find('basic')?.currency).toBe('EUR')
  })

  it('uses the terms of new accounts for plans that are no longer offered', () => {
    const plans = parsePlans({ basic: { price: 5 } })
    expect([plans.find('gone'), plans.termsOf('gone').name]).toEqual([undefined, 'basic'])
  })

  it.each([
    null,
    5,
    'free',
    [],
    {},
    [{}],
    [{ name: '' }],
    { a: { interval: 'day' } },
    { a: { tax_rate: 101 } },
    { a: 900 },
    { a: null },
  ])('refuses %o', (value) => {
    expect(() => parsePlans(value)).toThrow()
  })
})

const at = (text: string): number => Date.parse(`${text}Z`)
const starts = (from: string, interval: 'month' | 'year', until: string): string[] =>
  periodsUntil(at(from), interval, at(until)).map(({ startMs }) =>
    new Date(startMs).toISOString().slice(0, 10),
  )

describe('periodsUntil', () => {
  it('starts with the plan, even at its first moment', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-03-05T10:00')).toEqual(['2026-03-05'])
  })

  it('starts the next at the same time of day', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-04-05T09:59:59.999')).toHaveLength(1)
    expect(starts('2026-03-05T10:00', 'month', '2026-04-05T10:00')).toEqual(['2026-03-05', '2026-04-05'])
  })

  it('uses the last day of a shorter month, and returns to the 31st', () => {
    expect(starts('2026-01-31T00:00', 'month', '2026-05-31T00:00')).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
      '2026-04-30',
      '2026-05-31',
    ])
  })

  it('handles leap years', () => {
    expect(starts('2024-02-29T00:00', 'year', '2028-03-01T00:00')).toEqual([
      '2024-02-29',
      '2025-02-28',
      '2026-02-28',
      '2027-02-28',
      '2028-02-29',
    ])
  })

  it('leaves no gap between two periods', () => {
    const periods = periodsUntil(at('2025-10-31T23:59:59.999'), 'month', at('2028-01-01T00:00'))
    for (const [index, period] of periods.entries())
      expect(period.endMs).toBe(periods[index + 1]?.startMs ?? period.endMs)
  })

  it('has one period if the clock was set back', () => {
    expect(starts('2026-03-05T10:00', 'month', '2026-01-01T00:00')).toEqual(['2026-03-05'])
  })
})
