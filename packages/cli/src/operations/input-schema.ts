import { operations, type OperationName } from '@waymark/contract'
import {
  jsonSchemaOf,
  type JsonSchema,
  type JsonSchemaDialect,
  type OperationSchemas,
  schemas,
} from '@waymark/contract/schemas'

/** The input of an operation as one object, which merges the fields of all variants. */
export interface InputSchema {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly anyOf?: readonly ObjectSchema[]
}

interface SchemaOptions {
  readonly dialect?: JsonSchemaDialect
  /** Whether to use only the first of several descriptions of a field. */
  readonly isBrief?: boolean
}

/** The input of an operation: its query if it reads, its body if it writes. */
export function inputSchemaOf(
  name: OperationName,
  { dialect = 'openapi-3.0', isBrief = false }: SchemaOptions = {},
): InputSchema {
  const { body, query } = schemas[name] as OperationSchemas
  const schema = operations[name].method === 'GET' ? query : body
  return schema === undefined
    ? { properties: {}, required: [] }
    : merged(jsonSchemaOf(schema, 'input', dialect), isBrief)
}

function merged({ properties = {}, required = [], anyOf = [] }: ObjectSchema, isBrief: boolean): InputSchema {
  const variants = anyOf.map((variant) => merged(variant, isBrief))
  const [first, ...others] = variants
  if (first === undefined) return { properties, required }
  const names = new Set(variants.flatMap((variant) => Object.keys(variant.properties)))
  return {
    properties: Object.fromEntries([...names].map((name) => [name, alternativesOf(name, variants, isBrief)])),
    required: first.required.filter((name) => others.every((other) => other.required.includes(name))),
  }
}

/** A field that is null in a variant does not exist in it. */
const isAbsent = ({ enum: values, type }: JsonSchema): boolean =>
  type === 'null' || (Array.isArray(values) && values.every((value) => value === null))

function alternativesOf(name: string, variants: readonly InputSchema[], isBrief: boolean): JsonSchema {
  const all = variants.map(({ properties }) => properties[name]).filter((each) => each !== undefined)
  const found = all.some((each) => !isAbsent(each)) ? all.filter((each) => !isAbsent(each)) : all
  const different = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()]
  const [only = {}] = different
  if (different.length === 1 || isBrief) return only
  const { description } = only
  return { ...(description !== undefined && { description }), anyOf: different }
}
