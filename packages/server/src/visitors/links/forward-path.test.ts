import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwardPath } from './forward-path.ts'
import { headerSafe } from './routing.ts'

describe('a forwarded path', () => {
  it.each([
    ['https://a.example/', 'x', 'https://a.example/x'],
    ['https://a.example/docs', 'x/y', 'https://a.example/docs/x/y'],
    ['https://a.example/docs/', 'x/', 'https://a.example/docs/x/'],
    ['https://a.example/docs?own=1#f', 'x', 'https://a.example/docs/x?own=1#f'],
    ['https://a.example/docs//', 'x', 'https://a.example/docs//x'],
    ['https://a.example:8443/', '/evil.example', 'https://a.example:8443//evil.example'],
    ['https://a.example/', '@evil.example', 'https://a.example/@evil.example'],
    ['https://a.example/', 'https://b.example/c', 'https://a.example/https://b.example/c'],
    ['https://a.example/docs', '...', 'https://a.example/docs/...'],
    ['https://a.example/docs', '.well-known', 'https://a.example/docs/.well-known'],
    ['https://a.example/docs', 'a%2fb', 'https://a.example/docs/a%2fb'],
    ['https://a.example/docs', 'a%3fb%23c', 'https://a.example/docs/a%3fb%23c'],
    // Latin-1 stands for bytes: these are those of "ä" in UTF-8.
    ['https://a.example/docs', '\u00c3\u00a4 b\t', 'https://a.example/docs/%C3%A4%20b%09'],
  ])('%s and %s', (url, rest, expected) => {
    expect(forwardPath(url, rest)).toBe(expected)
  })

  it.each([
    '.',
    '..',
    '../x',
    'x/..',
    'x/../y',
    'x/./y',
    '%2e%2e/x',
    '%2E./x',
    '.%2e',
    'x/%2e',
    '..%2fx',
    'x%2f..%2fy',
    '%2F%2e%2E%2f',
    '\\',
    'x\\..\\y',
    '%5c',
    'x%5C%2e%2e',
  ])('%s is not served', (rest) => {
    for (const url of ['https://a.example/', 'https://a.example/docs?own=1'])
      expect(forwardPath(url, rest)).toBeUndefined()
  })

  it('is not served when the result has more than 8,192 characters', () => {
    const url = 'https://a.example/docs?own=1'
    const room = 8_192 - url.length - 1
    expect(forwardPath(url, 'x'.repeat(room))).toHaveLength(8_192)
    expect(forwardPath(url, 'x'.repeat(room + 1))).toBeUndefined()
    expect(forwardPath(url, '\u00ff'.repeat(Math.floor(room / 3)))).toBeDefined()
    expect(forwardPath(url, '\u00ff'.repeat(Math.floor(room / 3) + 1))).toBeUndefined()
  })

  it('stays within the destination, whatever it holds', () => {
    const hostile = `a . .. / // \\ %2e %2E %2f %5c % %25 %00 %0d%0a @ : ; | ^ " < \u00e4 \u00ff evil.example https:`
    const piece = fc.constantFrom(...hostile.split(' '), ' ', '\t', '\0', '\r\n')
    const rests = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(''))
    const urls = fc
      .tuple(
        fc.constantFrom('https://a.example', 'http://a.example:8080', 'https://[2001:db8::1]'),
        fc.constantFrom('/', '/docs', '/docs/', '/a//', '/a/b;c', '/%2e%2e%2f', '/%E4'),
        fc.constantFrom('', '?', '?own=1', '?a=/../b'),
        fc.constantFrom('', '#', '#f/../g'),
      )
      .map((parts) => new URL(parts.join('')).href)
    fc.assert(
      fc.property(urls, rests, (url, rest) => {
        const result = forwardPath(url, rest)
        if (result === undefined) return
        const [from, to] = [new URL(url), new URL(result)]
        expect(to.href).toBe(result)
        expect(headerSafe(result)).toBe(result)
        expect(to.origin).toBe(from.origin)
        expect([to.search, to.hash]).toEqual([from.search, from.hash])
        const base = `${from.pathname.replace(/\/$/, '')}/`
        expect(to.pathname.startsWith(base)).toBe(true)
        // What a server that decodes slashes and backslashes would resolve stays within as well.
        const added = to.pathname.slice(base.length).replaceAll(/%2f/gi, '/')
        expect(added).not.toMatch(/\\|%5c/i)
        for (const segment of added.split('/'))
          expect(segment.replaceAll(/%2e/gi, '.')).not.toMatch(/^\.{1,2}$/)
      }),
      { numRuns: 5_000 },
    )
  })
})
