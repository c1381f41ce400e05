import { COMPONENTS } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'

/* TypeScript from the JSON schemas of the contract. */

/** The fields of an object schema. */
export const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value)

const arrayOf = (schema: JsonSchema): string => {
  const items = typeOf((schema['items'] ?? {}) as JsonSchema)
  const list = items.includes('|') ? `(${items})[]` : `${items}[]`
  return schema['minItems'] === 2 && schema['maxItems'] === 2 ? `[${items}, ${items}]` : list
}

const objectOf = (schema: JsonSchema): string => {
  const values = schema['additionalProperties']
  if (typeof values === 'object') return `Record<string, ${typeOf(values as JsonSchema)}>`
  return schema['properties'] === undefined ? 'Record<string, unknown>' : `{ ${fieldsOf(schema).join('; ')} }`
}

const plainType = (schema: JsonSchema): string => {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(COMPONENTS.length)
  const combined = (schema['allOf'] ?? schema['anyOf']) as JsonSchema[] | undefined
  if (combined !== undefined) return union(combined.map(typeOf))
  if (schema['enum'] !== undefined) return union((schema['enum'] as unknown[]).map(literal))
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'binary' ? 'Uploadable' : 'string'
    case 'integer':
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'array':
      return arrayOf(schema)
    case 'object':
      return objectOf(schema)
    default:
      return 'unknown'
  }
}

// A literal beside its own type says nothing more.
const union = (types: readonly string[]): string => {
  const different = [...new Set(types)]
  return different.filter((type) => !(type.startsWith("'") && different.includes('string'))).join(' | ')
}

/** The type of a value that a schema describes. */
export const typeOf = (schema: JsonSchema): string =>
  schema['nullable'] === true ? union([plainType(schema), 'null']) : plainType(schema)

/** A doc comment of paragraphs. */
export const docComment = (paragraphs: readonly (string | undefined)[]): string => {
  const given = paragraphs.filter((text) => text !== undefined).map((text) => text.replaceAll('*/', '*\\/'))
  return given.length === 1 ? `/** ${given[0]} */` : `/**\n   * ${given.join('\n   *\n   * ')}\n   */`
}

/** The length that a text may have. */
const limitOf = ({ maxLength }: JsonSchema): string | undefined =>
  typeof maxLength === 'number' ? `At most ${maxLength} characters.` : undefined

const fieldsOf = (schema: JsonSchema): string[] => {
  const required = new Set((schema['required'] ?? []) as string[])
  return Object.entries(propertiesOf(schema)).map(([name, field]) => {
    const type = typeOf(field)
    return required.has(name) ? `${name}: ${type}` : `${name}?: ${type} | undefined`
  })
}

const commentedFields = (schema: JsonSchema): string[] => {
  const fields = Object.values(propertiesOf(schema))
  return fieldsOf(schema).map((text, at) => {
    const field = fields[at] ?? {}
    return `${docComment([field['description'] as string | undefined, limitOf(field)])}\n  ${text}`
  })
}

/** An interface, or a type where the schema has several forms; `more` are members to add. */
export const interfaceOf = (name: string, schema: JsonSchema, more: readonly string[] = []): string => {
  const comment =
    schema['description'] === undefined ? '' : `${docComment([schema['description'] as string])}\n`
  if (schema['properties'] === undefined || schema['anyOf'] !== undefined)
    return `${comment}export type ${name} = ${typeOf(schema)}`
  const members = [...commentedFields(schema), ...more]
  return `${comment}export interface ${name} {\n  ${members.join('\n  ')}\n}`
}
