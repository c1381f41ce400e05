import { isIPv4 } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DAY_MS, dayOf } from '../../work/times.ts'
import { ipv4Number } from '../attributes/addresses.ts'
import { testClickOf } from '../spool/click.testing.ts'
import { visitorNumbers } from './visitor-numbers.ts'

const DAY = Date.UTC(2026, 10, 15)
const saltOf = (day: number): string => `salt of ${day}`
const visit = (address: string, userAgent = 'Firefox', atMs = DAY) => ({
  ...testClickOf('019a0000-0000-7000-8000-00000000000a'),
  address,
  userAgent,
  atMs,
})
const numbersOf = (...visits: ReturnType<typeof visit>[]) => [...visitorNumbers(visits, saltOf)]

describe('the number of a visitor', () => {
  test.each(['203.0.113.9', '2001:db8::9', 'unknown', ''])(
    'of %j is one all day, and in every batch',
    (address) => {
      const later = visit(address, 'Firefox', DAY + DAY_MS - 1)
      const [first, , second] = numbersOf(visit(address), visit('198.51.100.1'), later)
      expect(first).toBe(second)
      expect(numbersOf(later)).toEqual([first])
      expect(Number.isSafeInteger(first)).toBe(true)
    },
  )

  test('differs by day, address and browser', () => {
    const visits = ['203.0.113.9', '203.0.113.8', '2001:db8::9', '2001:db8::8'].flatMap((address) =>
      ['Firefox', 'Safari'].flatMap((browser) =>
        [DAY, DAY + DAY_MS].map((at) => visit(address, browser, at)),
      ),
    )
    expect(new Set(numbersOf(...visits)).size).toBe(visits.length)
  })

  test('depends on the salt', () => {
    const [other] = visitorNumbers([visit('203.0.113.9')], (day) => `another ${dayOf(day)}`)
    expect(numbersOf(visit('203.0.113.9'))).not.toEqual([other])
  })

  test('is the same for an IPv4-mapped IPv6 address', () => {
    const [plain, mapped] = numbersOf(visit('203.0.113.9'), visit('::ffff:203.0.113.9'))
    expect(plain).toBe(mapped)
  })
})

test('ipv4Number maps each IPv4 address to a different number', () => {
  const part = fc.oneof(fc.nat(300).map(String), fc.constantFrom('', '00', '01', '1 ', '-1', 'a'))
  const odd = fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.'))
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), odd), (address) => {
      const number = ipv4Number(address)
      expect(number !== undefined).toBe(isIPv4(address))
      if (number === undefined) return
      const bytes = Buffer.alloc(4)
      bytes.writeInt32BE(number)
      expect([...bytes].join('.')).toBe(address)
    }),
  )
})
