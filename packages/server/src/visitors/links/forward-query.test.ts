import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { forwardQuery } from './forward-query.ts'

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

  it('change nothing of the destination, whatever they hold', () => {
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
        // The parser finds nothing to change, so every program reads the same address.
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
