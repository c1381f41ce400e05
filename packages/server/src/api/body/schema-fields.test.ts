import { UploadedFile } from '@waymark/contract'
import { jsonSchemaOf, schemas } from '@waymark/contract/schemas'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { coerceForm, unknownFields, wantedUploads } from './schema-fields.ts'

const coerceBy = (schema: z.ZodType, value: unknown) =>
  coerceForm(z.toJSONSchema(schema, { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' }), value)

describe('coerceForm', () => {
  it.each<[string, string | number]>([
    ['12', 12],
    ['-0.50', -0.5],
    ['0', 0],
    ['12.5', 12.5],
    ['9'.repeat(400), '9'.repeat(400)],
    ...[
      '',
      ' 1',
      '1 ',
      '1e3',
      '0x10',
      '+1',
      '007',
      '.5',
      '1.',
      '1,5',
      'Infinity',
      'NaN',
      'abc',
      '\ud800',
      '1\n',
    ].map((text): [string, string] => [text, text]),
  ])('takes %j for the number %j', (text, number) => {
    expect(coerceBy(z.number(), text)).toBe(number)
    expect(coerceBy(z.int().min(3).nullish(), text)).toBe(number)
  })

  it.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
    ['TRUE', 'TRUE'],
    ['yes', 'yes'],
    ['', ''],
  ])('takes %j for the boolean %j', (text, boolean) => {
    expect(coerceBy(z.boolean().nullish(), text)).toBe(boolean)
  })

  it('does not convert strings where a number is allowed as well', () => {
    expect(coerceBy(z.string().nullish(), '12')).toBe('12')
    expect(coerceBy(z.union([z.number(), z.string()]), '12')).toBe('12')
    expect(coerceBy(z.union([z.number(), z.enum(['auto'])]), '12')).toBe(12)
    expect(coerceBy(z.union([z.number(), z.enum(['auto'])]), 'auto')).toBe('auto')
    expect(coerceBy(z.union([z.literal(0), z.literal(1)]), '1')).toBe(1)
    expect(coerceBy(z.unknown(), '1')).toBe('1')
  })

  it('walks objects, lists, records and unions', () => {
    const file = new UploadedFile({ path: 'p', size: 1, filename: 'f' })
    const theme = z.object({ borderWidth: z.string(), weight: z.number() })
    const schema = z.object({
      logoStatus: z.literal([0, 1]).optional(),
      images: z.array(z.union([z.instanceof(UploadedFile), z.object({ id: z.int(), src: z.string() })])),
      theme: z.union([theme, z.array(theme)]),
      topShape: z.object({ height: z.int() }).nullish(),
      counts: z.record(z.string(), z.number()),
      both: z.intersection(z.object({ x: z.number() }), z.object({ y: z.boolean() })),
      list: z.array(z.number()),
    })
    const body = {
      logoStatus: '1',
      images: [file, { id: '7', src: '8' }, 'text'],
      theme: [{ borderWidth: '1', weight: '2' }],
      topShape: { height: '40', extra: '1' },
      counts: { a: '1', b: 'x' },
      both: { x: '1', y: '1' },
      list: '5',
      unknown: '6',
    }
    expect(coerceBy(schema, body)).toEqual({
      logoStatus: 1,
      images: [file, { id: 7, src: '8' }, 'text'],
      theme: [{ borderWidth: '1', weight: 2 }],
      topShape: { height: 40, extra: '1' },
      counts: { a: 1, b: 'x' },
      both: { x: 1, y: true },
      list: '5',
      unknown: '6',
    })
    expect(coerceBy(schema, { theme: { weight: '2' }, topShape: null, list: ['5', 'a'] })).toEqual({
      theme: { weight: 2 },
      topShape: null,
      list: [5, 'a'],
    })
    expect((coerceBy(schema, { images: [file] }) as { images: unknown[] }).images[0]).toBe(file)
  })

  it('follows references, including cycles', () => {
    const Tree = z.object({
      size: z.number(),
      get children() {
        return z.array(Tree)
      },
    })
    expect(coerceBy(Tree, { size: '1', children: [{ size: '2', children: [{ size: '3' }] }] })).toEqual({
      size: 1,
      children: [{ size: 2, children: [{ size: 3 }] }],
    })
    expect(coerceForm({ $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/a', type: 'number' } } }, '1')).toBe(
      1,
    )
    expect(coerceForm({ $ref: '#/$defs/none' }, '1')).toBe('1')
  })

  it('finds nothing on prototypes', () => {
    expect(coerceBy(z.object({ a: z.number() }), { constructor: '1', toString: '2', a: '3' })).toEqual({
      constructor: '1',
      toString: '2',
      a: 3,
    })
  })
})

const link = jsonSchemaOf(schemas.generateLink.body, 'input')
const page = jsonSchemaOf(schemas.generatePage.body, 'input')

describe('unknown fields', () => {
  it('are listed, nested ones with dots', () => {
    expect(unknownFields(link, { link: 'x', customlink: 'a', ['__proto__x']: 1 })).toEqual([
      'customlink',
      '__proto__x',
    ])
    const buttons = [{ label: 'A' }, { label: 'B', colour: 'red' }]
    expect(unknownFields(page, { title: 'A', buttons, theme: [{ bg: '#fff', glow: 1 }] })).toEqual([
      'buttons.1.colour',
      'theme.0.glow',
    ])
  })

  it('do not include fields of descriptions of pages', () => {
    expect(unknownFields(page, { subtext: 'a', subtitle: 'a', topShape: { clip: 'none' } })).toEqual([])
  })

  it('are found in lists up to the length that the schema allows', () => {
    const links = jsonSchemaOf(schemas.generateLinks.body, 'input')
    const many = (length: number) => ({ links: Array.from({ length }, () => ({ link: 'x', colour: 'red' })) })
    expect(unknownFields(links, many(1000))).toHaveLength(1000)
    expect(unknownFields(links, many(1000)).at(-1)).toBe('links.999.colour')
    const last = many(1000).links.map(({ link }) => ({ link }))
    expect(
      unknownFields(links, { links: [...last.slice(1), { link: 'x', rules: [{ if: { moon: 1 } }] }] }),
    ).toEqual(['links.999.rules.0.if.moon'])
  })

  it('are found in linear time', () => {
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`f${at}`, at]))
    expect(unknownFields(link, many)).toHaveLength(1000)
  })
})

const file = (filename: string) => new UploadedFile({ path: '', size: 0, filename })
const binary = z.custom<UploadedFile>().meta({ type: 'string', format: 'binary' })
const schema = z.toJSONSchema(
  z.object({
    title: z.string(),
    logo: binary.nullish(),
    table: binary.meta({ 'x-media-type': 'text/csv' }).nullish(),
    images: z.array(z.union([binary, z.object({ src: z.string() })])).nullish(),
  }),
  { target: 'openapi-3.0', io: 'input', unrepresentable: 'any' },
)

describe('wantedUploads', () => {
  it('finds only the files of fields that accept a picture', () => {
    const [logo, first, second, stray] = [file('logo'), file('first'), file('second'), file('stray')]
    const body = {
      title: stray,
      table: stray,
      logo,
      images: [first, { src: stray }, second, null, 'text'],
      unknown: stray,
      nested: { logo: stray },
    }
    expect(wantedUploads(schema, body)).toEqual([logo, first, second])
    expect(wantedUploads(schema, { logo: [stray], images: stray })).toEqual([])
  })
})
