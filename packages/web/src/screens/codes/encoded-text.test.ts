import { expect, test } from 'vitest'
import { encodedText, isEmpty, isNoUrl, isProvisional } from './encoded-text.ts'

const BASE = 'https://go.example.com'
const address = (url: string, dynamic = false) => ({ url, dynamic })
const value = (text: string) => ({ url: '', dynamic: false, content: 'value', value: text }) as const

test('a static code encodes its address as the server stores it', () => {
  expect(encodedText(address('Example.COM/a b'), null, BASE)).toBe('https://example.com/a%20b')
  expect(encodedText(address(''), null, BASE)).toBe(BASE)
  expect(encodedText(value('42'), null, BASE)).toBe('42')
  expect(encodedText(value(''), null, BASE)).toBe(BASE)
})

test('a new dynamic code has a placeholder of the same length, and no file yet', () => {
  expect(encodedText(address('example.com', true), null, BASE)).toBe(`${BASE}/Waymark`)
  expect(isProvisional(address('example.com', true), null)).toBe(true)
  expect(isProvisional(address('example.com'), null)).toBe(false)
})

test('a code that is or was dynamic has its short link', () => {
  const dynamic = { dynamic: true, encodes: `${BASE}/abc1234`, short_url: null }
  const former = { dynamic: false, encodes: 'https://example.com/', short_url: `${BASE}/abc1234` }
  for (const saved of [dynamic, former]) {
    expect(encodedText(address('example.com', true), saved, BASE)).toBe(`${BASE}/abc1234`)
    expect(isProvisional(address('example.com', true), saved)).toBe(false)
  }
})

test.each([
  ['', false],
  ['htt', false],
  ['https://', false],
  ['example.com', false],
  ['ftp://example.com', true],
  ['hello', true],
])('%j is no URL: %s', (url, expected) => expect(isNoUrl(address(url))).toBe(expected))

test('a text is never a wrong URL, and is empty if it is blank', () => {
  expect(isNoUrl(value('hello'))).toBe(false)
  expect([isEmpty(value(' ')), isEmpty(value('4')), isEmpty(address(' '))]).toEqual([true, false, true])
})
