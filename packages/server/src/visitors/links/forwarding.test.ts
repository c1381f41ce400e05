import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwardPath, forwardQuery } from './forwarding.ts'
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
    // Each Latin-1 character is one byte: these are the bytes of "ä" in UTF-8.
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

  it('stays within the destination, whatever it contains', () => {
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
        // It also stays within if a server decodes slashes and backslashes before it resolves the path.
        const added = to.pathname.slice(base.length).replaceAll(/%2f/gi, '/')
        expect(added).not.toMatch(/\\|%5c/i)
        for (const segment of added.split('/'))
          expect(segment.replaceAll(/%2e/gi, '.')).not.toMatch(/^\.{1,2}$/)
      }),
      { numRuns: 5_000 },
    )
  })
})

describe('forwarded parameters', () => {
  it.each([
    ['https://a.example/', 'b=2', 'https://a.example/?b=2'],
    ['https://a.example/?a=1', 'b=2', 'https://a.example/?a=1&b=2'],
    ['https://a.example/?a=1#f?g', 'b=2&c', 'https://a.example/?a=1&b=2&c#f?g'],
    ['https://a.example/#f?g', 'b=2', 'https://a.example/?b=2#f?g'],
    ['https://a.example/?', 'b=2', 'https://a.example/?b=2'],
    ['https://a.example/?a=1&', 'b=2', 'https://a.example/?a=1&b=2'],
    ['https://a.example/?a=1', 'a=2', 'https://a.example/?a=1'],
    ['https://a.example/?a=1', '%61=2&b', 'https://a.example/?a=1&b'],
    ['https://a.example/?x%20y=1', 'x+y=2', 'https://a.example/?x%20y=1'],
    ['https://a.example/?%C3%A4=1', 'Ã¤=2', 'https://a.example/?%C3%A4=1'],
    ['https://a.example/', 'b=1&b=2', 'https://a.example/?b=1&b=2'],
    ['https://a.example/', '&&=&', 'https://a.example/?='],
    ['https://a.example/', 'a=#x', 'https://a.example/?a=%23x'],
    ['https://a.example/', 'a=%', 'https://a.example/?a=%25'],
    ['https://a.example/', 'a=%ff', 'https://a.example/?a=%ff'],
    ['https://a.example/', 'u=https://b.example/?c', 'https://a.example/?u=https://b.example/?c'],
    ['https://a.example/', '', 'https://a.example/'],
  ])('%s with %s', (url, query, expected) => {
    expect(forwardQuery(url, query)).toBe(expected)
  })

  it('leave the destination as it is when the result would be too long', () => {
    const long = `https://a.example/?own=${'x'.repeat(2_020)}`
    expect(forwardQuery(long, `q=${'y'.repeat(8_190)}`)).toBe(long)
    const room = 8_192 - long.length
    expect(forwardQuery(long, 'y'.repeat(room - 1))).toHaveLength(8_192)
    expect(forwardQuery(long, 'y'.repeat(room))).toBe(long)
    expect(forwardQuery(long, '%'.repeat(3_000))).toBe(long)
  })

  it('do not change the destination, whatever they contain', () => {
    const pieces = fc.constantFrom(
      'a',
      'b',
      'own',
      '%61',
      '=',
      '&',
      '#',
      '?',
      '/',
      '//',
      '\\',
      '@',
      ':',
      '%',
      '%0d%0a',
      '\r\n',
      '\0',
      ' ',
      '+',
      '"',
      "'",
      '<',
      '>',
      '\u00e4',
      '\u00ff',
      '%zz',
      '%ff',
      '..',
      ';',
    )
    const query = fc.array(pieces, { maxLength: 30 }).map((all) => all.join(''))
    const part = fc.string({ unit: fc.constantFrom('a', 'b', '=', '&', '%20', '+', '/'), maxLength: 12 })
    const destination = fc
      .record({ path: part, search: fc.option(part), hash: fc.option(part) })
      .map(
        ({ path, search, hash }) =>
          new URL(
            `https://user.example/${path.replaceAll('/', '')}${search === null ? '' : `?own=1&${search}`}${hash === null ? '' : `#${hash}`}`,
          ).href,
      )
    fc.assert(
      fc.property(destination, query, (url, sent) => {
        const forwarded = forwardQuery(url, sent)
        const [before, after] = [new URL(url), new URL(forwarded)]
        expect(forwarded).toMatch(/^[\x21-\x7e]+$/)
        // The parser changes nothing, so every program reads the same URL.
        expect(after.href).toBe(forwarded)
        expect([after.origin, after.pathname, after.hash]).toEqual([
          before.origin,
          before.pathname,
          before.hash,
        ])
        expect(after.search.startsWith(before.search)).toBe(true)
        const own = [...before.searchParams.keys()]
        for (const name of own)
          expect(after.searchParams.getAll(name)).toEqual(before.searchParams.getAll(name))
        const added = [
          ...new URLSearchParams(
            `&${sent}`.replaceAll(
              /[^\x21-\x7e]|#/g,
              (char) => `%${(char.charCodeAt(0) & 255).toString(16).padStart(2, '0')}`,
            ),
          ),
        ]
        expect([...after.searchParams].slice([...before.searchParams].length)).toEqual(
          added.filter(([name]) => !own.includes(name)),
        )
      }),
      { numRuns: 2_000 },
    )
  })
})
