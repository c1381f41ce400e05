import { expect, test } from 'vitest'
import { readDomainName, toAsciiName } from './domain-name.ts'

test.each([
  ['go.example.com', 'go.example.com'],
  ['  GO.Example.COM.  ', 'go.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['BÜCHER.example', 'xn--bcher-kva.example'],
  ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
  ['ссылка.рф', 'xn--80atcxa4d.xn--p1ai'],
  ['сор.рф', 'xn--n1aeb.xn--p1ai'],
  ['例え.jp', 'xn--r8jz45g.jp'],
  ['123.example', '123.example'],
])('%s is %s', (typed, name) => expect(readDomainName(typed)).toEqual({ name }))

test.each([
  ['http://go.example.com'],
  ['go.example.com/path'],
  ['go.example.com:8080'],
  ['user@example.com'],
  ['go example.com'],
  ['localhost'],
  ['127.0.0.1'],
  ['[::1]'],
  ['2130706433'],
  ['0x7f.1'],
  ['-a.example'],
  ['a-.example'],
  ['a..example'],
  ['.example.com'],
  ['a_b.example'],
  [`${'a'.repeat(64)}.example`],
  [`${'a.'.repeat(130)}example`],
  [''],
  ['*.example.com'],
  ['go.example.1'],
  ['go.example.com\0'],
  ['go\u0007.example.com'],
])('%s is refused', (typed) => expect(readDomainName(typed)).toHaveProperty('fault'))

test.each([
  ['a Cyrillic а among Latin letters', 'p\u0430ypal.com'],
  ['the same spelled out in ASCII', 'xn--pypal-4ve.com'],
  ['a word that is Cyrillic throughout', '\u0430\u0440\u0440\u04cf\u0435.com'],
  ['a Greek one', '\u03bf\u03bd\u03bf.com'],
])('%s is refused as deceptive', (_name, typed) =>
  expect(readDomainName(typed)).toEqual({ fault: expect.stringContaining('alphabet') as string }),
)

test('a name is compared in its stored form', () => {
  expect(toAsciiName('BÜCHER.example.')).toBe('xn--bcher-kva.example')
  expect(toAsciiName('http://x')).toBe('')
})
