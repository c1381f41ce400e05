import type { JsonSchema } from '@waymark/contract/schemas'
import type { Tool } from './tools.ts'

interface ObjectSchema extends JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
}

/**
 * A tool whose schema a model reads in a tenth of the tokens: first sentences, no limits of length, and only the names of fields
 * inside a field. The server checks what is sent, and `more_tools` returns the complete schema.
 */
export function compacted({ name, title, inputSchema, annotations, ...tool }: Tool): Tool {
  const { properties = {}, required } = inputSchema as ObjectSchema
  // Its fields are described by the tool that creates the resource.
  const isChange = name.startsWith('change_')
  const { title: _title, readOnlyHint, ...hints } = annotations
  return {
    ...tool,
    name,
    title,
    description: isChange
      ? `${firstSentence(tool.description)} Null clears a field.`
      : firstSentence(tool.description),
    inputSchema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(properties).map(([field, schema]) => [
          field,
          isChange ? changed(schema) : described(schema),
        ]),
      ),
      ...(required !== undefined && { required }),
    },
    // The others mean nothing if a tool only reads.
    annotations: readOnlyHint ? { readOnlyHint } : { readOnlyHint, ...hints },
  }
}

const described = (schema: JsonSchema): JsonSchema => ({
  ...shortened(schema),
  description: firstSentence(typeof schema['description'] === 'string' ? schema['description'] : ''),
})

/** Up to the first full stop that ends a sentence, not one of a number or a path. */
function firstSentence(text: string): string {
  const end = text.search(/\. [A-Z`]/)
  return end === -1 ? text : text.slice(0, end + 1)
}

/** Callers that check their input must be able to clear a field. */
function changed(schema: JsonSchema): JsonSchema {
  const { type, enum: values } = shortened(schema)
  const isNullable = JSON.stringify([schema['type'], schema['anyOf']]).includes('"null"')
  return {
    type: isNullable ? [type, 'null'].flat() : type,
    ...(values !== undefined && { enum: isNullable ? [...(values as unknown[]), null] : values }),
  }
}

function shortened(schema: JsonSchema): JsonSchema {
  const variants = variantsOf(schema)
  const [first = {}] = variants
  const kinds = new Set(variants.map((variant) => variant['type']))
  // A text or a number, a text or a list of texts.
  if (kinds.size > 1 && !kinds.has('object')) return { type: [...kinds] }
  const { type, enum: values } = first
  if (type === 'array') return { type, items: shortened((first['items'] ?? {}) as JsonSchema) }
  if (type === 'object') return namesOf(variants.filter((variant) => variant['type'] === 'object'))
  return { ...(type !== undefined && { type }), ...(values !== undefined && { enum: values }) }
}

/** The fields that all variants of an object have, with their values if these are words. */
function namesOf(variants: readonly ObjectSchema[]): JsonSchema {
  const [first = {}, ...others] = variants
  const isInAll = (name: string): boolean => others.every(({ properties = {} }) => name in properties)
  const required = first.required?.filter((name) =>
    others.every((other) => other.required?.includes(name) === true),
  )
  const names = Object.keys(first.properties ?? {}).filter(isInAll)
  return {
    type: 'object',
    properties: Object.fromEntries(
      names.map((name) => [name, wordsOf(variants.map(({ properties = {} }) => properties[name] ?? {}))]),
    ),
    ...(required !== undefined && required.length > 0 && { required }),
  }
}

const wordsOf = (schemas: readonly JsonSchema[]): JsonSchema => {
  const values = schemas
    .flatMap(variantsOf)
    .flatMap(({ enum: words, const: word }) => (words ?? word ?? []) as unknown[])
  const words = [...new Set(values)].filter((value) => value !== '' && value !== null)
  return words.length > 1 ? { enum: words } : {}
}

/** The alternatives of a schema, except null. */
function variantsOf(schema: JsonSchema): JsonSchema[] {
  const options = schema['anyOf'] as JsonSchema[] | undefined
  if (options !== undefined) return options.flatMap(variantsOf)
  const { type } = schema
  if (Array.isArray(type)) return [{ ...schema, type: type.find((each) => each !== 'null') }]
  return type === 'null' ? [] : [schema]
}
