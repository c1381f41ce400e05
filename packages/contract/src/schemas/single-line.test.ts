import { describe, expect, it, test } from 'vitest'
import { z } from 'zod'
import { acceptingStored, multiLine, required, singleLine, singleLineBetween, textKinds } from './fields.ts'
import { type OperationSchemas, schemas } from './index.ts'
import { variantsOf } from './switching.ts'
import { validate } from './validate.ts'

interface Text {
  readonly path: string
  readonly kind: string
}

type Def = z.core.$ZodTypeDef & Readonly<Record<string, unknown>>

/** Values of these types hold no text that a sender chooses. */
const WITHOUT_TEXT = new Set(['number', 'int', 'boolean', 'literal', 'enum', 'null', 'unknown', 'custom'])

/** Texts of a regular expression or a format, such as a short code, say themselves what they may contain. */
const hasFormat = ({ checks = [], format }: { checks?: z.core.$ZodCheck[]; format?: unknown }): boolean =>
  format !== undefined || checks.some((check) => check._zod.def.check === 'string_format')

/** Every text inside a schema of a request, with its dotted path. */
function* textsIn(schema: z.core.$ZodType, path: string): Generator<Text> {
  const variants = variantsOf(schema)
  if (variants !== undefined) {
    for (const variant of variants) yield* textsIn(variant, path)
    return
  }
  const def = schema._zod.def as Def
  const into = (name: string): z.core.$ZodType => def[name] as z.core.$ZodType
  if (def.type === 'string') {
    const { kind } = textKinds.get(schema as never) ?? {}
    yield { path, kind: kind ?? (hasFormat(def) ? 'format' : 'not chosen') }
  } else if (def.type === 'object')
    for (const [name, field] of Object.entries(def['shape'] as Record<string, z.ZodType>))
      yield* textsIn(field, `${path}.${name}`)
  else if (def.type === 'array') yield* textsIn(into('element'), `${path}[]`)
  else if (def.type === 'tuple')
    for (const item of def['items'] as z.ZodType[]) yield* textsIn(item, `${path}[]`)
  else if (def.type === 'record') yield* textsIn(into('valueType'), `${path}[]`)
  else if (def.type === 'union')
    for (const option of def['options'] as z.ZodType[]) yield* textsIn(option, path)
  // A query parameter is a text until it has been converted.
  else if (def.type === 'pipe')
    yield* textsIn(into(into('in')._zod.def.type === 'transform' ? 'out' : 'in'), path)
  else if (into('innerType') !== undefined) yield* textsIn(into('innerType'), path)
  else if (!WITHOUT_TEXT.has(def.type)) throw new Error(`${path}: unknown type ${def.type}`)
}

const all = Object.entries(schemas as Record<string, OperationSchemas>).flatMap(([name, { body, query }]) => [
  ...(body === undefined ? [] : textsIn(body, name)),
  ...(query === undefined ? [] : textsIn(query, `${name}?`)),
])
const pathsOf = (kind: string): string[] => all.filter((text) => text.kind === kind).map(({ path }) => path)
const namesOf = (paths: readonly string[]): string[] =>
  [...new Set(paths.map((path) => path.replaceAll('[]', '').split('.').at(-1) ?? ''))].toSorted()

describe('texts of requests', () => {
  it('say whether they have one line or several, or are opaque', () => {
    expect(all.length).toBeGreaterThan(500)
    expect(pathsOf('not chosen')).toEqual([])
  })

  it('have several lines only where people write more than a line', () => {
    const paths = pathsOf('multiple lines').filter((path) => !path.endsWith('.buttons[].label'))
    const written = ['address', 'body', 'description', 'feedback', 'message', 'note', 'reason']
    expect(namesOf(paths)).toEqual([...written, 'subtext', 'subtitle'])
  })

  it('are opaque only where machines read or compare them', () => {
    const secrets = [
      'challenge',
      'code',
      'confirm_password',
      'invitation',
      'oidc',
      'old_password',
      'password',
    ]
    const existing = [
      'column',
      'default_style',
      'delivery',
      'domain',
      'field',
      'remove_tags',
      'search',
      'tag',
    ]
    const visit = ['language', 'path', 'query', 'referrer', 'user_agent']
    const ruled = ['allowed_addresses', 'ends_at', 'expires_at', 'starts_at']
    const encoded = ['text', 'value']
    const others = ['token', 'uuid', 'uuids', 'version']
    expect(namesOf(pathsOf('opaque').filter((path) => !path.includes('?')))).toEqual(
      [...secrets, ...existing, ...visit, ...ruled, ...encoded, ...others].toSorted(),
    )
  })
})

describe('one line', () => {
  const controls = [
    ...Array(0x20).keys(),
    ...Array.from({ length: 0x21 }, (_, n) => n + 0x7f),
    0x2028,
    0x2029,
  ]
  const faultsOf = (schema: z.ZodType, value: string): string[] | undefined => {
    const result = validate(z.object({ value: schema }), { value })
    return result.ok ? undefined : result.errors['value']
  }

  test.each(controls.map((code) => [code.toString(16), String.fromCharCode(code)]))(
    'has no U+%s',
    (_, char) => {
      const expected =
        char === '\0'
          ? 'Must not contain NUL or unpaired surrogates'
          : 'Must be one line of text without control characters'
      for (const schema of [singleLine(9), required(singleLine()), singleLineBetween(1, 9)])
        expect(faultsOf(schema, `a${char}b`)).toEqual([expected])
      const isBreak = ['\t', '\n', '\r', '\u2028', '\u2029'].includes(char)
      expect(faultsOf(multiLine(9), `a${char}b`)).toEqual(
        isBreak
          ? undefined
          : [
              char === '\0'
                ? expected
                : 'Must not contain control characters other than tabs and line breaks',
            ],
      )
    },
  )

  it('may hold everything else', () => {
    for (const value of ['', ' ', '~', '\u00a0', '\u200f', '\u202e', '\ufeff', '😀', 'Größe'])
      expect(faultsOf(singleLine(), value)).toBeUndefined()
  })

  it('may be what is stored', () => {
    const stored = new Set(['a\nb'])
    const schema = z.object({ title: required(singleLine(9)), name: singleLine(), rest: multiLine() })
    const fields = { title: 'a\nb', name: 'c', rest: '' }
    expect(acceptingStored(stored, () => validate(schema, fields).ok)).toBe(true)
    expect(acceptingStored(stored, () => validate(schema, { ...fields, name: 'c\n' }).ok)).toBe(false)
    expect(validate(schema, fields).ok).toBe(false)
  })
})
