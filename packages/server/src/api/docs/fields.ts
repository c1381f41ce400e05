import { COMPONENTS } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'

/** Schemas by the names that references use. */
export type Components = Readonly<Record<string, JsonSchema>>

/** A field in the reference, and in the form to try an operation. */
export interface Field {
  /** The name as in errors: `buttons[].label`. */
  readonly name: string
  readonly isRequired: boolean
  readonly schema: JsonSchema
}

/** The alternatives of a schema, except null. */
const formsOf = (schema: JsonSchema): JsonSchema[] =>
  ((schema['anyOf'] ?? []) as JsonSchema[]).filter((form) => !isNull(form))

const isNull = ({ enum: options }: JsonSchema): boolean =>
  Array.isArray(options) && options.every((one) => one === null)

const isNullable = (schema: JsonSchema): boolean =>
  schema['nullable'] === true || ((schema['anyOf'] ?? []) as JsonSchema[]).some(isNullable)

const referenceOf = (schema: JsonSchema): string | undefined => {
  const forms = (schema['allOf'] as JsonSchema[] | undefined) ?? formsOf(schema)
  const reference = (forms.length === 1 ? forms[0] : schema)?.['$ref'] as string | undefined
  return reference?.slice(COMPONENTS.length)
}

/** A schema with its reference resolved. */
export const resolved = (schema: JsonSchema, components: Components): JsonSchema => {
  const name = referenceOf(schema)
  if (name === undefined) return schema
  const { anyOf: _nullOr, ...beside } = schema
  return { ...components[name], ...beside }
}

/** The type of a field in one or two words. */
export const typeOf = (schema: JsonSchema, components: Components): string => {
  const whole = resolved(schema, components)
  if (whole['format'] === 'binary') return 'file'
  if (whole['type'] === 'array') return `list of ${typeOf((whole['items'] ?? {}) as JsonSchema, components)}`
  const variants = formsOf(whole)
  if (whole['type'] === undefined && variants.length > 0)
    return [...new Set(variants.map((variant) => typeOf(variant, components)))].join(' or ')
  return (whole['type'] as string | undefined) ?? 'any'
}

const code = (value: unknown): string =>
  value === '' ? '`""`' : `\`${String(value).replaceAll('|', '\\|')}\``

/** The values to choose from, except null. */
export const optionsOf = (values: readonly unknown[]): unknown[] => values.filter((value) => value !== null)

const RULES: readonly (readonly [key: string, words: (value: unknown) => string])[] = [
  [
    'enum',
    (value) =>
      `one of ${optionsOf(value as unknown[])
        .map(code)
        .join(', ')}`,
  ],
  ['minimum', (value) => `at least ${Number(value)}`],
  ['maximum', (value) => `at most ${Number(value)}`],
  ['minLength', (value) => `at least ${Number(value)} characters`],
  ['maxLength', (value) => `at most ${Number(value)} characters`],
  ['minItems', (value) => `at least ${Number(value)} ${value === 1 ? 'item' : 'items'}`],
  ['maxItems', (value) => `at most ${Number(value)} items`],
  ['pattern', (value) => `matches ${code(value)}`],
  ['format', (value) => (value === 'binary' ? '' : `format ${code(value)}`)],
  ['default', (value) => `default ${code(JSON.stringify(value))}`],
]

/** The rules of a field that the schema states. */
const limitsOf = (schema: JsonSchema): string[] => {
  const own = RULES.filter(([key]) => schema[key] !== undefined).map(([key, words]) => words(schema[key]))
  const items = (schema['items'] ?? {}) as JsonSchema
  const each = schema['type'] === 'array' ? limitsOf(items).map((rule) => `each ${rule}`) : []
  const forms = formsOf(schema).flatMap(limitsOf)
  return [...own, ...each, ...new Set(forms)].filter((rule) => rule !== '')
}

const textOf = (field: Field, components: Components): string => {
  const whole = resolved(field.schema, components)
  const description = ((field.schema['description'] ?? whole['description']) as string | undefined) ?? ''
  const nullable = isNullable(field.schema) ? ['may be null'] : []
  const limits = [...limitsOf(whole), ...nullable].join('; ')
  const sentence = limits === '' ? '' : `${limits[0]?.toUpperCase()}${limits.slice(1)}.`
  return `${description.replaceAll('\n', ' ').replaceAll('|', '\\|')} ${sentence}`.trim()
}

/** Fields with nested ones. A recursive schema is followed once. */
export const flatten = (
  schema: JsonSchema,
  components: Components,
  prefix = '',
  seen: readonly string[] = [],
): Field[] => {
  const name = referenceOf(schema)
  if (name !== undefined && seen.includes(name)) return []
  const path = name === undefined ? seen : [...seen, name]
  const whole = resolved(schema, components)
  const required = new Set((whole['required'] ?? []) as string[])
  return Object.entries((whole['properties'] ?? {}) as Record<string, JsonSchema>).flatMap(([key, inner]) => {
    const field = { name: prefix + key, isRequired: required.has(key), schema: inner }
    const items = inner['type'] === 'array' ? (inner['items'] as JsonSchema) : undefined
    const below = items === undefined ? `${field.name}.` : `${field.name}[].`
    return [field, ...flatten(items ?? inner, components, below, path)]
  })
}

/** Fields as a table of Markdown. */
export const fieldTable = (fields: readonly Field[], components: Components, asks = true): string => {
  const rows = fields.map((field) => {
    const required = asks && field.isRequired ? ' **required**' : ''
    return `| \`${field.name}\`${required} | ${typeOf(field.schema, components)} | ${textOf(field, components)} |`
  })
  return ['| Field | Type | Meaning |', '|---|---|---|', ...rows].join('\n')
}
