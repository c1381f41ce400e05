import { describe, expect, it } from 'vitest'
import { dayRange, longDate, moneyIn, percent, printable } from './invoice-sheet.ts'

describe('moneyIn', () => {
  it.each([
    ['USD', 0, '0.00', 'USD\u00a00.00'],
    ['USD', 5, '0.05', 'USD\u00a00.05'],
    ['EUR', 123456789, '1,234,567.89', 'EUR\u00a01,234,567.89'],
    ['JPY', 1200, '1,200', 'JPY\u00a01,200'],
    ['BHD', 1234, '1.234', 'BHD\u00a01.234'],
    ['USD', -250, '-2.50', '-USD\u00a02.50'],
    ['USD', Number.MAX_SAFE_INTEGER, '90,071,992,547,409.91', 'USD\u00a090,071,992,547,409.91'],
  ])('writes %s %d', (currency, minor, plain, withCode) => {
    expect(moneyIn(currency).plain(minor)).toBe(plain)
    expect(moneyIn(currency).withCode(minor)).toBe(withCode)
  })
})

describe('dates', () => {
  it('are days in UTC, and a period ends on its last day', () => {
    const at = Date.UTC(2026, 10, 1)
    expect(longDate(at)).toBe('1 November 2026')
    expect(dayRange(at, Date.UTC(2026, 11, 1))).toBe('1 Nov 2026 – 30 Nov 2026')
    expect(dayRange(at, at)).toBe('1 Nov 2026 – 1 Nov 2026')
  })
})

describe('percent', () => {
  it('writes no unnecessary decimals', () => {
    expect([percent(0), percent(19), percent(8.875)]).toEqual(['0%', '19%', '8.875%'])
  })
})

describe('printable', () => {
  const latin = (codePoint: number) => codePoint < 0x180

  it('keeps drawable characters and marks the others', () => {
    expect(printable('Łódź', latin)).toBe('Łódź')
    expect(printable('e\u0301', latin)).toBe('é')
    expect(printable('A 株式 👩‍💻!', latin)).toBe('A □□ □!')
    expect(printable('a\r\nb\rc\td\0e', latin)).toBe('a\nb\nc d e')
    expect(printable('\ud800', latin)).toBe('□')
  })
})
