import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyError } from './body-limits.ts'
import { FormFields } from './parse-body.ts'

const build = (pairs: readonly (readonly [string, string | null])[]) => {
  const fields = new FormFields()
  for (const [name, value] of pairs) fields.add(name, value)
  return fields.toObject()
}

describe('FormFields', () => {
  it('reads the names of a page', () => {
    expect(
      build([
        ['title', 't'],
        ['images[]', 'i1'],
        ['images[]', 'i2'],
        ['buttons[][label]', 'A'],
        ['buttons[][url]', 'u'],
        ['buttons[][label]', 'B'],
        ['buttons[][label]', 'C'],
        ['buttons[][url]', null],
        ['theme[][bgColor]', '#fff'],
        ['theme[][textColor]', '#000'],
        ['socialIcons[][name]', 'x'],
        ['topShape[height]', '3'],
      ]),
    ).toEqual({
      title: 't',
      images: ['i1', 'i2'],
      buttons: [{ label: 'A', url: 'u' }, { label: 'B' }, { label: 'C', url: null }],
      theme: [{ bgColor: '#fff', textColor: '#000' }],
      socialIcons: [{ name: 'x' }],
      topShape: { height: '3' },
    })
  })

  it('reads objects with lists inside', () => {
    expect(
      build([
        ['theme[bggradient][]', 'a'],
        ['theme[bggradient][]', 'b'],
        ['theme[bg]', 'c'],
      ]),
    ).toEqual({
      theme: { bggradient: ['a', 'b'], bg: 'c' },
    })
    expect(
      build([
        ['a[][b][]', '1'],
        ['a[][b][]', '2'],
        ['a[][c]', '3'],
        ['a[][c]', '4'],
        ['a[][b][]', '5'],
      ]),
    ).toEqual({
      a: [
        { b: ['1', '2'], c: '3' },
        { c: '4', b: ['5'] },
      ],
    })
    expect(
      build([
        ['a[][][k]', '1'],
        ['a[][][k]', '2'],
        ['a[][][l]', '3'],
      ]),
    ).toEqual({ a: [[{ k: '1' }, { k: '2', l: '3' }]] })
    expect(
      build([
        ['a[][b][c]', '1'],
        ['a[][b][d]', '2'],
        ['a[][b][c]', '3'],
      ]),
    ).toEqual({
      a: [{ b: { c: '1', d: '2' } }, { b: { c: '3' } }],
    })
  })

  it('orders numbered items by number and never allocates the gaps', () => {
    expect(
      build([
        ['b[10][l]', 'ten'],
        ['b[2][l]', 'two'],
        ['b[99999999999999999999][l]', 'huge'],
        ['b[4294967295][l]', 'big'],
        ['b[2][u]', 'x'],
        ['b[][l]', 'last'],
      ]),
    ).toEqual({ b: [{ l: 'two', u: 'x' }, { l: 'ten' }, { l: 'big' }, { l: 'huge' }, { l: 'last' }] })
    expect(
      build([
        ['a[0]', 'x'],
        ['a[00]', 'y'],
        ['a[b]', 'z'],
      ]),
    ).toEqual({ a: { 0: 'x', '00': 'y', b: 'z' } })
  })

  it('uses the last value if names contradict each other', () => {
    expect(
      build([
        ['a', '1'],
        ['a', '2'],
      ]),
    ).toEqual({ a: '2' })
    expect(
      build([
        ['a', '1'],
        ['a[b]', '2'],
      ]),
    ).toEqual({ a: { b: '2' } })
    expect(
      build([
        ['a[b]', '2'],
        ['a', '1'],
      ]),
    ).toEqual({ a: '1' })
    expect(
      build([
        ['a[]', '1'],
        ['a[b]', '2'],
      ]),
    ).toEqual({ a: { b: '2' } })
    expect(
      build([
        ['a[b]', '2'],
        ['a[]', '1'],
      ]),
    ).toEqual({ a: ['1'] })
    expect(
      build([
        ['a[b]', '1'],
        ['a[b][c]', '2'],
        ['a[d]', '3'],
      ]),
    ).toEqual({ a: { b: { c: '2' }, d: '3' } })
  })

  it('starts the next item if names in a list contradict each other', () => {
    expect(
      build([
        ['a[]', '1'],
        ['a[][b]', '2'],
        ['a[][b][c]', '3'],
        ['a[][]', '4'],
      ]),
    ).toEqual({
      a: ['1', { b: '2' }, { b: { c: '3' } }, ['4']],
    })
  })

  it('treats unpaired brackets as part of the name', () => {
    const names = ['a[b', 'a]', 'a]b[c]', '[a]', '[]', 'a[b]c', 'a[[b]]', 'a[b][c', 'a[b]]']
    expect(Object.keys(build(names.map((name) => [name, '1'])))).toEqual(names)
  })

  it('treats names of object properties as ordinary names', () => {
    const body = build([
      ['__proto__[x]', '1'],
      ['a[__proto__][x]', '1'],
      ['b[][__proto__]', '1'],
      ['constructor[prototype][x]', '1'],
      ['toString', '1'],
      ['', '1'],
    ])
    expect(Object.getPrototypeOf(body)).toBe(null)
    expect(Object.getPrototypeOf(body['constructor'])).toBe(null)
    expect(JSON.stringify(body)).toBe(
      '{"__proto__":{"x":"1"},"a":{"__proto__":{"x":"1"}},"b":[{"__proto__":"1"}],' +
        '"constructor":{"prototype":{"x":"1"}},"toString":"1"}',
    )
    expect(Reflect.get({}, 'x')).toBeUndefined()
  })

  it('accepts 32 levels and rejects 33', () => {
    expect(Object.keys(build([[`a${'[b]'.repeat(31)}`, '1']]))).toEqual(['a'])
    for (const name of [`a${'[b]'.repeat(32)}`, `a${'[]'.repeat(2_000_000)}`]) {
      expect(() => build([[name, '1']])).toThrow(expect.objectContaining({ code: 'too_deep', status: 400 }))
    }
  })

  it('restores lists of objects', () => {
    const keyOf = fc.stringMatching(/^[a-z][a-zA-Z_]{0,6}$/)
    const itemOf = fc.record({
      id: fc.string(),
      tags: fc.array(fc.string(), { maxLength: 3 }),
      more: fc.dictionary(keyOf, fc.string()),
    })
    type Item = typeof itemOf extends fc.Arbitrary<infer T> ? T : never
    const encode = (prefix: string, item: Item): [string, string][] => [
      // The key that every item has comes first, because it separates the items.
      [`${prefix}[id]`, item.id],
      ...item.tags.map((tag): [string, string] => [`${prefix}[tags][]`, tag]),
      ...Object.entries(item.more).map(([key, value]): [string, string] => [
        `${prefix}[more][${key}]`,
        value,
      ]),
    ]
    fc.assert(
      fc.property(
        keyOf,
        fc.array(itemOf, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        (name, items, numbered) => {
          const body = build(
            items.flatMap((item, index) => encode(`${name}[${numbered ? index * 7 : ''}]`, item)),
          )
          const sent = items.map(({ id, tags, more }) => ({
            id,
            ...(tags.length > 0 ? { tags } : {}),
            ...(Object.keys(more).length > 0 ? { more: { ...more } } : {}),
          }))
          expect(JSON.parse(JSON.stringify(body))).toEqual({ [name]: sent })
        },
      ),
    )
  })

  it('throws only its own errors, for any names', () => {
    const nameOf = fc.array(fc.constantFrom('a', 'b', '[', ']', '[]', '[a]', '[0]', '[__proto__]', '9'), {
      maxLength: 9,
    })
    fc.assert(
      fc.property(fc.array(nameOf, { maxLength: 30 }), (names) => {
        try {
          JSON.stringify(build(names.map((pieces) => [pieces.join(''), 'v'])))
        } catch (error) {
          expect(error).toBeInstanceOf(BodyError)
        }
      }),
      { numRuns: 1000 },
    )
  })
})
