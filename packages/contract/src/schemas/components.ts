import { operations, type OperationName } from '../table.ts'
import { ErrorResponse } from './responses.ts'
import { textOf } from './described.ts'
import { jsonSchemaOf, type JsonSchema } from './json-schema.ts'
import { schemas, type OperationSchemas } from './index.ts'

/** The input and output of an operation; named schemas inside are references. */
export interface DescribedOperation {
  readonly body: JsonSchema | undefined
  readonly query: JsonSchema | undefined
  readonly response: JsonSchema
}

/** The contract as JSON schemas: every named schema once, and the operations that refer to them. */
export interface DescribedContract {
  readonly components: Readonly<Record<string, JsonSchema>>
  readonly operations: Readonly<Record<OperationName, DescribedOperation>>
}

/** The prefix of references to named schemas, as in OpenAPI. */
export const COMPONENTS = '#/components/schemas/'

/** Describes the whole contract. The OpenAPI document and every generated client are derived from it. */
export const describeContract = (): DescribedContract => {
  const components = new Map<string, JsonSchema>()
  const lift = lifter(components)
  const described = (Object.keys(operations) as OperationName[]).map((name) => {
    const { body, query, response }: OperationSchemas = schemas[name]
    const input = `${name[0]?.toUpperCase()}${name.slice(1)}Input`
    return [
      name,
      {
        body: body && lift(titled(jsonSchemaOf(body, 'input'), input)),
        query: query && lift(jsonSchemaOf(query, 'input')),
        response: lift(jsonSchemaOf(response, 'output')),
      },
    ]
  })
  lift(jsonSchemaOf(ErrorResponse, 'output'))
  return {
    components: Object.fromEntries([...components].toSorted(([a], [b]) => (a < b ? -1 : 1))),
    operations: Object.fromEntries(described) as Record<OperationName, DescribedOperation>,
  }
}

/** A body without its own name is named after its operation. */
const titled = (schema: JsonSchema, title: string): JsonSchema =>
  schema['title'] === undefined ? { ...schema, title } : schema

/** Moves every named schema into the components and replaces it by a reference. */
const lifter = (components: Map<string, JsonSchema>) => {
  const lift = (schema: JsonSchema): JsonSchema => {
    const inner = nullableInside(withoutRepeats(withoutNoise(liftInside(schema))))
    const { title } = inner
    if (typeof title !== 'string') return inner
    const { title: _title, nullable, description, ...shape } = inner
    const own = textOf(title)
    components.set(title, { ...(own === undefined ? {} : { description: own }), ...shape })
    const reference = { $ref: COMPONENTS + title }
    // OpenAPI 3.0 ignores everything beside a reference, so this wraps the reference.
    const isSame = description === own || description === undefined
    if (isSame && nullable === undefined) return reference
    return {
      ...(isSame ? {} : { description }),
      // OpenAPI 3.0 requires a type beside nullable.
      ...(nullable === undefined ? {} : { nullable, type: shape['type'] ?? 'object' }),
      allOf: [reference],
    }
  }
  const liftInside = (schema: JsonSchema): JsonSchema => {
    const lifted = { ...schema }
    for (const key of ['items', 'additionalProperties'])
      if (typeof schema[key] === 'object') lifted[key] = lift(schema[key] as JsonSchema)
    if (schema['anyOf'] !== undefined) lifted['anyOf'] = (schema['anyOf'] as JsonSchema[]).map(lift)
    const properties = schema['properties'] as Record<string, JsonSchema> | undefined
    if (properties !== undefined)
      lifted['properties'] = Object.fromEntries(
        Object.entries(properties).map(([name, field]) => [name, lift(field)]),
      )
    return lifted
  }
  return lift
}

/** Removes equal alternatives: the two ends of a pair, for example. */
const withoutRepeats = (schema: JsonSchema): JsonSchema => {
  if (schema['anyOf'] === undefined) return schema
  const { anyOf, ...rest } = schema
  const forms = new Map((anyOf as JsonSchema[]).map((form) => [JSON.stringify(form), form]))
  const [only] = forms.values()
  return forms.size === 1 ? { ...only, ...rest } : { ...rest, anyOf: [...forms.values()] }
}

/** In OpenAPI 3.0 only a type can be nullable, so each alternative is. */
const nullableInside = (schema: JsonSchema): JsonSchema => {
  if (schema['nullable'] !== true || schema['type'] !== undefined) return schema
  const { nullable, anyOf, ...rest } = schema
  if (anyOf === undefined) return { ...rest, nullable, type: 'string' }
  return {
    ...rest,
    anyOf: (anyOf as JsonSchema[]).map((form) =>
      form['$ref'] === undefined ? { ...form, nullable } : { nullable, type: 'object', allOf: [form] },
    ),
  }
}

/** Without the limits of safe integers, which mean no limit. */
const withoutNoise = (schema: JsonSchema): JsonSchema =>
  Object.fromEntries(
    Object.entries(schema).filter(
      ([key, value]) =>
        !(['minimum', 'maximum'].includes(key) && Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER),
    ),
  )
