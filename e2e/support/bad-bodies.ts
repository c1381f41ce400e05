import { createHash } from 'node:crypto'
import { type Encoded, json, multipart } from './requests.ts'

const MIB = 1024 * 1024
const BOUNDARY = 'a-boundary'

export const raw = (bytes: string | Uint8Array, type: string): Encoded => {
  const buffer = Buffer.from(bytes as Uint8Array)
  return { bytes: buffer, type, digest: createHash('sha256').update(buffer).digest('hex') }
}
const form = (text: string): Encoded => raw(text, 'application/x-www-form-urlencoded')
const nested = (levels: number): string => '{"a":'.repeat(levels - 1) + '{}' + '}'.repeat(levels - 1)
export const manyParts = (count: number): Encoded =>
  multipart(Array.from({ length: count }, (_, n) => ({ name: `f${n}`, value: 'x' })))
export const part = (headers: string, value = 'x'): string =>
  `--${BOUNDARY}\r\n${headers}\r\n\r\n${value}\r\n`
export const broken = (text: string, type = `multipart/form-data; boundary=${BOUNDARY}`): Encoded =>
  raw(text, type)
export const disposition = 'Content-Disposition: form-data; name="a"'

export const tooMuch = multipart([{ name: 'image', value: Buffer.alloc(49 * MIB), filename: 'x.png' }])

/** Bodies that no operation can read, and what each is answered. */
export const unreadable: readonly (readonly [string, number, Encoded])[] = [
  ['broken JSON', 400, json('{"uuid":')],
  ['JSON with a comma too many', 400, json('{"uuid":"a",}')],
  ['an array', 400, json('[{"uuid":"a"}]')],
  ['a number', 400, json('42')],
  ['a text', 400, json('"uuid"')],
  ['null', 400, json('null')],
  ['white space', 400, json(' \n')],
  [
    'JSON that is no UTF-8',
    400,
    raw(Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'application/json'),
  ],
  ['10,000 nested arrays', 400, json('['.repeat(10_000) + ']'.repeat(10_000))],
  ['10,000 nested arrays inside an object', 400, json(`{"a":${'['.repeat(10_000)}${']'.repeat(10_000)}}`)],
  ['33 levels', 400, json(nested(33))],
  ['a form of 33 levels', 400, form(`a${'[b]'.repeat(32)}=1`)],
  ['a form of 100,000 levels', 400, form(`a${'[b]'.repeat(100_000)}=1`)],
  ['a multipart name of 33 levels', 400, multipart([{ name: `a${'[b]'.repeat(32)}`, value: '1' }])],
  ['multipart without an end', 400, broken(part(disposition))],
  ['multipart that ends inside a part', 400, broken(part(disposition).slice(0, -3))],
  ['multipart that ends inside a part header', 400, broken(`--${BOUNDARY}\r\nContent-Disp`)],
  ['multipart without a boundary', 400, broken(`${part(disposition)}--${BOUNDARY}--`, 'multipart/form-data')],
  [
    'multipart with another boundary',
    400,
    broken(`${part(disposition)}--${BOUNDARY}--`, 'multipart/form-data; boundary=b'),
  ],
  ['a part without a name', 400, broken(`${part('Content-Disposition: form-data')}--${BOUNDARY}--`)],
  ['a part without a disposition', 400, broken(`${part('X-Nothing: 1')}--${BOUNDARY}--`)],
  ['1,001 parts', 400, manyParts(1001)],
  ['10,000 parts', 400, manyParts(10_000)],
  ['10,000 fields of a form', 400, form(Array.from({ length: 10_000 }, (_, n) => `f${n}=1`).join('&'))],
  ['5 MiB of JSON', 413, json(`{"a":"${'x'.repeat(5 * MIB)}"}`)],
  ['4 MiB and a byte of JSON', 413, json(' '.repeat(4 * MIB + 1))],
  ['5 MiB of a form', 413, form('x'.repeat(5 * MIB))],
  ['text', 415, raw('{}', 'text/plain')],
  ['XML', 415, raw('<uuid/>', 'application/xml')],
  ['multipart/mixed', 415, raw(`--${BOUNDARY}--`, `multipart/mixed; boundary=${BOUNDARY}`)],
  ['no type at all', 415, raw('{}', '')],
]

/** Bodies that say nothing to any operation, so that each is answered like an empty object. */
export const meaningless: readonly (readonly [string, Encoded])[] = [
  ['an empty body', raw('', 'application/json')],
  ['an empty multipart body', multipart([])],
  ['32 levels', json(nested(32))],
  ['a name of 32 levels', multipart([{ name: `a${'[b]'.repeat(31)}`, value: '1' }])],
  [
    '__proto__ in JSON',
    json('{"__proto__":{"uuid":"a","feedback":"b"},"constructor":{"prototype":{"x":1}}}'),
  ],
  [
    'part names that reach for prototypes',
    multipart(
      [
        '__proto__',
        '__proto__[uuid]',
        'constructor[prototype][x]',
        'a[__proto__][b]',
        'prototype',
        'toString',
        '',
      ].map((name) => ({ name, value: 'polluted' })),
    ),
  ],
  [
    'form names that reach for prototypes',
    form('__proto__[uuid]=a&constructor[prototype][x]=b&a[__proto__][]=c'),
  ],
  ['1,000 parts', manyParts(1000)],
  [
    'unknown fields full of NUL and surrogates',
    json(String.raw`{"nothing":"\u0000\ud800","\u0000":"\udc00"}`),
  ],
]

/** Texts that no string may be, as each format can say them. */
export const unstorable: readonly (readonly [string, (field: string) => Encoded])[] = [
  ['NUL in JSON', (field) => json(`{"${field}":"a\\u0000b"}`)],
  ['a lone high surrogate in JSON', (field) => json(String.raw`{"${field}":"a\ud800b"}`)],
  ['a lone low surrogate in JSON', (field) => json(String.raw`{"${field}":"\udfff"}`)],
  ['NUL in multipart', (field) => multipart([{ name: field, value: 'a\0b' }])],
  [
    'bytes that are no UTF-8 in multipart',
    (field) => multipart([{ name: field, value: Buffer.from([0xff, 0xfe]) }]),
  ],
  [
    'a surrogate in UTF-8 in multipart',
    (field) => multipart([{ name: field, value: Buffer.from([0xed, 0xa0, 0x80]) }]),
  ],
  ['NUL in a form', (field) => form(`${field}=a%00b`)],
  ['bytes that are no UTF-8 in a form', (field) => form(`${field}=%ff%fe`)],
  ['a surrogate in UTF-8 in a form', (field) => form(`${field}=%ed%a0%80`)],
  ['a file', (field) => multipart([{ name: field, value: 'x', filename: 'x.txt' }])],
  ['a number', (field) => json({ [field]: 1 })],
  ['an object', (field) => json({ [field]: { a: 1 } })],
  ['a text of 60 kB', (field) => json({ [field]: 'x'.repeat(60_000) })],
  ['a multipart text of 3 MiB', (field) => multipart([{ name: field, value: 'x'.repeat(3 * MIB) }])],
]
