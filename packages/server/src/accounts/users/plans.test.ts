import { describe, expect, it } from 'vitest'
import { parsePlans } from './plans.ts'

describe('parsePlans', () => {
  it('knows one plan without limits when nothing is configured', () => {
    const plans = parsePlans(undefined)
    expect(plans.initial).toBe('free')
    expect(plans.find('free')).toEqual({
      name: 'free',
      price: 0,
      currency: 'USD',
      interval: 'month',
      taxRate: 0,
      limits: { links: null, qrcodes: null, barcodes: null, pages: null, utm: null, domains: null },
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

  it('gives new accounts the first one when none is free', () => {
    expect(parsePlans({ basic: {}, gold: {} }).initial).toBe('basic')
  })

  it('writes currencies in capitals', () => {
    expect(parsePlans({ basic: { currency: 'eur' } }).find('basic')?.currency).toBe('EUR')
  })

  it('gives the terms of a new account to whoever has a plan that is no longer offered', () => {
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
  ])('refuses %o', (value) => {
    expect(() => parsePlans(value)).toThrow()
  })
})
