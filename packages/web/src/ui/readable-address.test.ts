import { expect, test } from 'vitest'
import { decodePunycode } from './punycode.ts'
import { bare, readableHost } from './readable-address.ts'

const hostOf = (name: string): string => new URL(`http://${name}`).hostname

test.each([
  'bücher.example',
  'пример.испытание',
  'παράδειγμα.δοκιμή',
  '例え.テスト',
  '한국.테스트',
  'مثال.إختبار',
  'उदाहरण.परीक्षा',
  'straße-7.example',
  'münchen.bücher.example',
])('%s is shown in its own letters', (name) => {
  expect(hostOf(name)).toMatch(/xn--/)
  expect(readableHost(hostOf(name))).toBe(name)
})

test.each([
  // Cyrillic letters that look like a Latin word.
  hostOf('аррӏе.com'),
  // Two alphabets in one word.
  hostOf('pаypal.com'),
  hostOf('gοogle.com'),
  // Letters of an alphabet that is hardly used for names.
  hostOf('ꮪꮯꮎꮲꭼ.com'),
  // Latin letters of phonetic script.
  hostOf('ɡoogle.com'),
  // Invalid punycode, or not in its canonical form.
  'xn--a!b.example',
  'xn--.example',
  'xn--99999999999999.example',
])('%s stays as it is', (host) => expect(readableHost(host)).toBe(host))

test.each([
  ['https://www.example.com/', 'example.com'],
  ['http://xn--bcher-kva.example:8080/caf%C3%A9?q=%26#%c3%bc', 'bücher.example:8080/café?q=%26#ü'],
  ['https://example.com/a%20b%2Fc', 'example.com/a%20b%2Fc'],
  // A right-to-left override, a zero-width space and broken bytes stay visible.
  ['https://example.com/%E2%80%AEgnp.exe', 'example.com/%E2%80%AEgnp.exe'],
  ['https://example.com/%E2%80%8B', 'example.com/%E2%80%8B'],
  ['https://example.com/%ff%C3', 'example.com/%ff%C3'],
  ['mailto:a@b.c', 'mailto:a@b.c'],
])('%s is read as %s', (url, read) => expect(bare(url)).toBe(read))

test('punycode is decoded as in RFC 3492', () => {
  expect(decodePunycode('ihqwcrb4cv8a8dqg056pqjye')).toBe('他们为什么不说中文')
  expect(decodePunycode('maana-pta')).toBe('mañana')
  expect(decodePunycode('Zz-!')).toBeUndefined()
})
