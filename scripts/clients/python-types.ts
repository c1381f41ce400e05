import { COMPONENTS } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'

/* Python types from the JSON schemas of the contract. */

const KEYWORDS = new Set([
  'from',
  'if',
  'in',
  'is',
  'not',
  'or',
  'and',
  'for',
  'import',
  'class',
  'def',
  'global',
  'pass',
])
const IDENTIFIER = /^[A-Za-z_]\w*$/

const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>

/** A text as a Python literal. */
export const pythonText = (text: string): string => JSON.stringify(text)

const literal = (value: unknown): string => {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

const union = (types: readonly string[]): string => {
  const different = [...new Set(types)]
  return different.includes('Any') ? 'Any' : different.join(' | ')
}

const plainType = (schema: JsonSchema): string => {
  if (typeof schema['$ref'] === 'string') return schema['$ref'].slice(COMPONENTS.length)
  const combined = (schema['allOf'] ?? schema['anyOf']) as JsonSchema[] | undefined
  if (combined !== undefined) return union(combined.map(pythonType))
  const values = schema['enum'] as unknown[] | undefined
  if (values !== undefined)
    return values.every((value) => value === null) ? 'None' : `Literal[${values.map(literal).join(', ')}]`
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'binary' ? 'Upload' : 'str'
    case 'integer':
      return 'int'
    case 'number':
      return 'float'
    case 'boolean':
      return 'bool'
    case 'array':
      return `list[${pythonType((schema['items'] ?? {}) as JsonSchema)}]`
    case 'object': {
      const rest = schema['additionalProperties']
      return `dict[str, ${typeof rest === 'object' ? pythonType(rest as JsonSchema) : 'Any'}]`
    }
    default:
      return 'Any'
  }
}

/** The type of a value that a schema describes. */
export const pythonType = (schema: JsonSchema): string =>
  schema['nullable'] === true ? union([plainType(schema), 'None']) : plainType(schema)

const commentOf = (field: JsonSchema): string => {
  const text = field['description'] as string | undefined
  const limit = typeof field['maxLength'] === 'number' ? ` At most ${field['maxLength']} characters.` : ''
  return text === undefined
    ? ''
    : `    """${text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")}${limit}"""\n`
}

/** A `TypedDict` for an object, or an alias for a schema with several variants. */
export const typedDict = (name: string, schema: JsonSchema): string => {
  if (schema['properties'] === undefined || schema['anyOf'] !== undefined)
    return `${name} = Union[${((schema['anyOf'] ?? []) as JsonSchema[]).map((one) => `"${pythonType(one)}"`).join(', ')}]\n`
  const required = new Set((schema['required'] ?? []) as string[])
  const fields = Object.entries(propertiesOf(schema))
  const typeOf = (field: string, described: JsonSchema): string =>
    required.has(field) ? pythonType(described) : `NotRequired[${pythonType(described)}]`
  if (fields.some(([field]) => KEYWORDS.has(field) || !IDENTIFIER.test(field))) {
    const lines = fields.map(
      ([field, described]) => `    ${pythonText(field)}: ${pythonText(typeOf(field, described))},\n`,
    )
    return `${name} = TypedDict(${pythonText(name)}, {\n${lines.join('')}})\n`
  }
  const description = (schema['description'] as string | undefined) ?? name
  const body = fields.map(
    ([field, described]) => `    ${field}: ${typeOf(field, described)}\n${commentOf(described)}`,
  )
  return `class ${name}(TypedDict):\n    """${description}"""\n\n${body.length === 0 ? '    pass\n' : body.join('')}`
}
