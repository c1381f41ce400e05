import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { queryOf, readShortCodePath } from './target-path.ts'

describe('readCodePath', () => {
  test.each([
    ['/abc', 'abc', false, ''],
    ['/a-Z_9', 'a-Z_9', false, ''],
    ['/abc?x=1/../y', 'abc', false, ''],
    ['/abc?', 'abc', false, ''],
    ['/abc/', 'abc', false, ''],
    ['/abc/?x', 'abc', false, ''],
    ['/abc/d/e/?x/y', 'abc', false, 'd/e/'],
    ['/abc//d', 'abc', false, '/d'],
    ['/abc/../d+', 'abc', false, '../d+'],
    ['/abc+', 'abc', true, ''],
    ['/abc+?from=mail', 'abc', true, ''],
    [`/${'x'.repeat(64)}`, 'x'.repeat(64), false, ''],
  ])('%s is the code %s', (target, shortCode, preview, rest) => {
    expect(readShortCodePath(target)).toEqual({ shortCode, preview, rest })
  })

  test.each([
    ['nothing', ''],
    ['the root', '/'],
    ['the root with a query', '/?abc'],
    ['a fragment in a path', '/abc/d#e'],
    ['a path behind a plus', '/abc+/d'],
    ['a double slash', '//abc'],
    ['an absolute form', 'http://example.com/abc'],
    ['an asterisk', '*'],
    ['a percent sign', '/ab%63'],
    ['an encoded NUL', '/abc%00'],
    ['encoded dots', '/%2e%2e'],
    ['double encoding', '/%252e%252e'],
    ['dots', '/..'],
    ['a backslash', '/\\abc'],
    ['a fragment', '/abc#x'],
    ['a plus in between', '/a+b'],
    ['two pluses', '/abc++'],
    ['only a plus', '/+'],
    ['Latin 1', '/abc\u00e9'],
    ['a look-alike letter', '/\u0430bc'],
    ['a full-width letter', '/\uff41'],
    ['65 characters', `/${'x'.repeat(65)}`],
    ['65 characters and a plus', `/${'x'.repeat(65)}+`],
    ['10 KB', `/${'x'.repeat(10_240)}`],
    ['a space', '/abc '],
    ['a tab', '/abc\t'],
  ])('%s is no code', (_name, target) => {
    expect(readShortCodePath(target)).toBeNull()
  })

  test('agrees with the regular expression for any input', () => {
    const targets = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => `/${text}`),
      fc
        .string({ unit: fc.constantFrom('a', '_', '-', '+', '?', '/', '%', '.', ' ', '0') })
        .map((text) => `/${text}`),
      fc.string(),
    )
    fc.assert(
      fc.property(targets, (target) => {
        const [, shortCode, plus, rest = ''] =
          /^\/([A-Za-z0-9_-]{1,64})(?:(\+)|\/([^?#]*))?(?:\?[^]*)?$/.exec(target) ?? []
        expect(readShortCodePath(target)).toEqual(
          shortCode === undefined ? null : { shortCode, preview: plus === '+', rest },
        )
      }),
    )
  })
})

test.each([
  ['/code', ''],
  ['/code?', ''],
  ['/code?qr', 'qr'],
  ['/code?a=1&b=?#c?d', 'a=1&b=?'],
  ['https://example.com/#a?b', ''],
])('the query of %s is %s', (target, query) => {
  expect(queryOf(target)).toBe(query)
})
