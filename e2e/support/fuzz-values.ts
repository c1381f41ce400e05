import type { JsonSchema } from '@waymark/contract/schemas'
import * as fc from 'fast-check'
import { animatedGif, hugePng, jpeg, png } from './pictures.ts'

/** A file in a generated body. */
export class FuzzFile {
  readonly bytes: Buffer

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /** What a failure shows of it. */
  toJSON(): string {
    return `file of ${this.bytes.length} bytes`
  }
}

const LONG = 3000

/** Texts that broke something somewhere once. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e\u200f',
  '🐌'.repeat(300),
  'a'.repeat(LONG),
  ' '.repeat(LONG),
  `a${' '.repeat(2040)})`,
  '('.repeat(LONG),
  '%00%ff%',
  "' or 1=1 --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  '{"a":1}',
  '1e309',
  '-0',
  '0x10',
  '9007199254740993',
  'javascript:alert(1)',
  'http://',
  'https://[::1',
  'https://user:pass@example.com/',
  `https://example.com/${'x'.repeat(LONG)}`,
  'https://xn--/',
  'HTTPS://EXAMPLE.com:99999/',
  'https://例え.テスト/ä?ö#ü',
  '2026-02-30',
  '9999-12-31T23:59:59.999Z',
  '+275760-09-13T00:00:00.001Z',
  '#ggg',
  '#fff',
  'red',
  'polygon(0 0, 100% 0, 100% 100%',
  '0 0 0 0 rgba(0, 0, 0, 0.5) inset,',
  'links.0.link',
]

const text = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }) },
  { weight: 2, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
)

const url = fc.oneof(
  { weight: 4, arbitrary: fc.webUrl({ withQueryParameters: true, withFragments: true }) },
  { weight: 1, arbitrary: text },
)

const number = fc.oneof(
  fc.integer({ min: -5, max: 600 }),
  fc.double(),
  fc.constantFrom(0, -1, 1, 2 ** 31, 2 ** 53, Number.MAX_VALUE, 1e-300),
)

const file = fc
  .oneof(
    { weight: 4, arbitrary: fc.constantFrom(png(1), jpeg, animatedGif(), png(9, 8, 7, 64)) },
    { weight: 1, arbitrary: fc.constant(hugePng(3000)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)) },
    {
      weight: 2,
      // A picture that is cut off or has a wrong byte.
      arbitrary: fc
        .tuple(fc.constantFrom(png(1), jpeg), fc.nat(200), fc.boolean())
        .map(([whole, at, isCut]) => {
          const bytes = Buffer.from(whole)
          if (isCut) return bytes.subarray(0, at)
          bytes[at % bytes.length] = 255 - (bytes[at % bytes.length] ?? 0)
          return bytes
        }),
    },
  )
  .map((bytes) => new FuzzFile(bytes))

const junk = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.jsonValue({ maxDepth: 4 }), file)

/** Values of a schema, most of them nearly right, and now and then something else entirely. */
export function valuesOf(schema: JsonSchema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 15, arbitrary: fitting(schema, known) },
    { weight: 1, arbitrary: junk },
    { weight: 1, arbitrary: fc.constant(null) },
  )
}

function fitting(schema: JsonSchema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const variants = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as JsonSchema[] | undefined
  if (variants !== undefined) return fc.oneof(...variants.map((variant) => fitting(variant, known)))
  const choices = schema['enum'] as unknown[] | undefined
  if (choices !== undefined) return fc.constantFrom(...choices)
  switch (schema['type']) {
    case 'string':
      return ofText(schema, known)
    case 'integer':
    case 'number':
      return number
    case 'boolean':
      return fc.boolean()
    case 'array':
      return fc.array(valuesOf((schema['items'] ?? {}) as JsonSchema, known), { maxLength: 4 })
    case 'object':
      return objectsOf(schema, known)
    default:
      return junk
  }
}

const ofText = (schema: JsonSchema, known: fc.Arbitrary<string>): fc.Arbitrary<unknown> => {
  if (schema['format'] === 'binary') return file
  if (schema['format'] === 'uri') return url
  return fc.oneof({ weight: 3, arbitrary: text }, { weight: 1, arbitrary: known })
}

const objectsOf = (schema: JsonSchema, known: fc.Arbitrary<string>): fc.Arbitrary<object> => {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, JsonSchema>)
  const fields = Object.fromEntries(
    properties.map(([name, field]) => [name, /uuid/.test(name) ? known : valuesOf(field, known)]),
  )
  const required = ((schema['required'] ?? []) as string[]).filter((name) => name in fields)
  return fc.oneof(
    { weight: 6, arbitrary: fc.record(fields, { requiredKeys: required }) },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.record(fields, { requiredKeys: required }), fc.dictionary(text, junk, { maxKeys: 3 }))
        .map(([some, more]) => ({ ...more, ...some })),
    },
  )
}
