import { expect, test } from 'vitest'
import { looksLikeAddress, ownPath, withScheme } from './addresses.ts'

test.each([
  ['example.com', 'https://example.com'],
  ['  example.com/a?b=c ', 'https://example.com/a?b=c'],
  ['http://example.com', 'http://example.com'],
  ['mailto:a@b.c', 'mailto:a@b.c'],
  ['spring sale', 'spring sale'],
  ['', ''],
])('%j is sent as %j', (typed, sent) => expect(withScheme(typed)).toBe(sent))

test.each([
  ['example.com', true],
  ['https://example.com/a', true],
  ['mailto:a@b.c', false],
  ['go to links', false],
  ['links', false],
  ['a.b c', false],
])('%j is an address: %j', (typed, is) => expect(looksLikeAddress(typed)).toBe(is))

test('only our own paths are redirected to after signing in', () => {
  for (const path of ['/', '/links?tag=a%2Fb', '/settings?tab=security#keys', '/link/..//x'])
    expect(ownPath(path)).toBe(path)
  const foreign = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    '\t//evil.example',
    ' //evil.example',
    'javascript:alert(1)',
    'evil.example',
    '',
    undefined,
  ]
  for (const path of foreign) expect(ownPath(path)).toBeUndefined()
})
