import { UploadedFile } from '@waymark/contract'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BodyError } from './body-limits.ts'
import type { RawPart } from './multipart.ts'
import { parseBody } from './parse-body.ts'

const envelope = { digest: '', dispose: () => Promise.resolve() }
const json = (bytes: string | Buffer) => parseBody({ ...envelope, kind: 'json', bytes: Buffer.from(bytes) })
const form = (bytes: string | Buffer) =>
  parseBody({ ...envelope, kind: 'urlencoded', bytes: Buffer.from(bytes) })
const multipart = (parts: Partial<RawPart>[]) =>
  parseBody({
    ...envelope,
    kind: 'multipart',
    parts: parts.map((part) => ({
      name: '',
      size: part.text?.length ?? 0,
      filename: undefined,
      path: '',
      text: Buffer.alloc(0),
      dropped: false,
      ...part,
    })),
  })

const thrown = (work: () => unknown): unknown => {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}

const nested = (levels: number) => `{"a":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`

describe('JSON', () => {
  it('is an object, returned unchanged', () => {
    expect(json('\ufeff{"a":[1,"[[[\\"{",null]}')).toEqual({ a: [1, '[[["{', null] })
    expect(parseBody({ ...envelope, kind: 'none' })).toEqual({})
  })

  it.each(['[]', '1', '"a"', 'null', 'true'])('rejects %s', (text) => {
    expect(thrown(() => json(text))).toMatchObject({ code: 'not_an_object', status: 400 })
  })

  it.each([
    '',
    '{',
    '{"a":}',
    '{"a":1}}',
    "{'a':1}",
    '{"a":"\n"}',
    Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
  ])('refuses %j', (bytes) => {
    expect(thrown(() => json(bytes))).toMatchObject({ code: 'malformed', status: 400 })
  })

  it('accepts 32 levels and rejects 33, and 10,000 even if nothing closes them', () => {
    expect(Object.keys(json(nested(32)))).toEqual(['a'])
    expect(thrown(() => json(nested(33)))).toMatchObject({ code: 'too_deep', status: 400 })
    expect(thrown(() => json('['.repeat(10_000)))).toMatchObject({ code: 'too_deep' })
    expect(json(`{"a":"${'['.repeat(100)}\\\\","b":{}}`)).toMatchObject({ b: {} })
  })

  it('accepts 100,000 values and rejects more, for any content of strings', () => {
    // The object, the list, and its values.
    const list = (length: number): string => `{"a":[${Array.from({ length }, () => '1').join(',')}]}`
    expect(json(list(99_999))['a']).toHaveLength(99_999)
    expect(thrown(() => json(list(100_000)))).toMatchObject({ code: 'too_many_values', status: 400 })
    expect(thrown(() => json(`{"a":[${'{},'.repeat(200_000)}{}]}`))).toMatchObject({
      code: 'too_many_values',
    })
    expect(json(`{"a":"${',[{'.repeat(100_000)}"}`)).toMatchObject({ a: expect.any(String) })
  })

  it('treats __proto__ as an ordinary name, in any spelling and at any depth', () => {
    const body = json(
      '{"a":[{"__proto__":{"x":1}}],"__pr\\u006fto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
    )
    expect(Object.keys(body)).toEqual(['a', '__proto__', 'constructor'])
    expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
    expect(JSON.stringify(body['a'])).toBe('[{"__proto__":{"x":1}}]')
    expect([Reflect.get(body, 'x'), Reflect.get({}, 'x')]).toEqual([undefined, undefined])
  })

  it('throws only its own errors', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        const error = thrown(() => json(Buffer.from(bytes)))
        expect(error === undefined || error instanceof BodyError).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('restores every object', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 5 })), (value) => {
        expect(JSON.stringify(json(JSON.stringify(value)))).toBe(JSON.stringify(value))
      }),
    )
  })
})

describe('url-encoded forms', () => {
  it('decodes percent signs and plus signs, and reads an empty value as null', () => {
    expect(form('a=1+2%2B&b=&c&&%64=%C3%A9&e=100%&f=%4&g=%zz&h=a=b&=x')).toEqual({
      a: '1 2+',
      b: null,
      c: null,
      d: 'é',
      e: '100%',
      f: '%4',
      g: '%zz',
      h: 'a=b',
    })
  })

  it('converts invalid UTF-8 into a value that every string rule rejects', () => {
    expect(form('a=%FF&b=ok')).toEqual({ a: '\ud800', b: 'ok' })
    expect(form(Buffer.from([0x61, 0x3d, 0xc3]))).toEqual({ a: '\ud800' })
  })

  it('accepts 1,000 fields and rejects 1,001, not counting empty ones', () => {
    expect(form(`${'&'.repeat(5000)}${'a=1&'.repeat(1000)}`)).toEqual({ a: '1' })
    expect(thrown(() => form('a=1&'.repeat(1001)))).toMatchObject({ code: 'too_many_parts', status: 400 })
  })

  it('agrees with the platform on plain fields', () => {
    const pairOf = fc.tuple(fc.stringMatching(/^[^[\]]+$/), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(pairOf, { maxLength: 20 }), (pairs) => {
        const sent = pairs.map(([name, value]) => [name.toWellFormed(), value.toWellFormed()])
        const object = Object.fromEntries(sent.map(([name, value]) => [name, value || null]))
        expect({ ...form(new URLSearchParams(sent).toString()) }).toEqual(object)
      }),
    )
  })
})

describe('multipart forms', () => {
  it('returns files as instances that text cannot forge', () => {
    const body = multipart([
      { name: 'logo', filename: 'a.png', path: '/x/0', size: 7 },
      { name: 'images[]', filename: '', path: '/x/1', size: 3 },
      { name: 'images[]', filename: 'b.png', size: 0 },
    ])
    expect(body['logo']).toBeInstanceOf(UploadedFile)
    expect(body['logo']).toMatchObject({ path: '/x/0', size: 7, filename: 'a.png' })
    expect(body['images']).toEqual([
      new UploadedFile({ path: '/x/1', size: 3, filename: '' }),
      new UploadedFile({ path: '', size: 0, filename: 'b.png' }),
    ])
  })

  it('reads an empty file input as null, and as no item of a list', () => {
    expect(
      multipart([
        { name: 'logo', filename: '' },
        { name: 'images[]', filename: '' },
      ]),
    ).toEqual({ logo: null })
  })

  it('reads text, truncated text and text that was not stored', () => {
    const cut = Buffer.from('é'.repeat(3)).subarray(0, 5)
    expect(
      multipart([
        { name: 'a', text: Buffer.from('\ufeffé') },
        { name: 'b', text: Buffer.alloc(0) },
        { name: 'c', text: Buffer.from([0xc3]) },
        { name: 'd', text: cut, size: 6 },
        { name: 'e', dropped: true, size: 1 },
      ]),
    ).toEqual({ a: '\ufeffé', b: null, c: '\ud800', d: 'éé', e: '\ud800' })
  })
})
