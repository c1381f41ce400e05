import { type Operation, type OperationName, operations } from '@waymark/contract'
import { COMPONENTS, describeContract, type DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'
import { errorExample } from './error-examples.ts'
import { type OperationExample, readExamples } from './examples.ts'
import { withStrictNull } from './openapi-null.ts'
import { descriptionOf, INTRODUCTION, TAGS } from './openapi-texts.ts'

const SECURITY: Record<Operation['auth'], object[]> = {
  none: [],
  key: [{ apiKey: [] }, { session: [] }],
  signed: [{ apiKey: [], signature: [], timestamp: [] }, { session: [] }],
  session: [{ session: [] }],
}

const header = (name: string, description: string): JsonSchema => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

const EVERY = [429, 500, 503]
/** Who calls is not known, or is suspended. */
const OF_CALLERS = [401, 403]
const OF_BODIES = [400, 403, 408, 413, 415, 422]

/** The errors of an operation: its own, and those of what the pipeline does before it. */
const errorsOf = ({ auth, method, fails = [] }: Operation, query: JsonSchema | undefined): number[] => {
  const statuses = new Set<number>([...fails, ...EVERY])
  if (auth !== 'none') for (const status of OF_CALLERS) statuses.add(status)
  if (method === 'POST') for (const status of OF_BODIES) statuses.add(status)
  if (query !== undefined) statuses.add(422)
  if (query !== undefined && 'cursor' in propertiesOf(query)) statuses.add(400)
  return [...statuses].sort((a, b) => a - b)
}

const errorOf = (
  name: OperationName,
  status: number,
  recorded: OperationExample['errors'] = {},
): JsonSchema => {
  const { when, example: composed } = errorExample(name, status)
  const example = recorded[status] ?? composed
  const content = { 'application/json': { schema: { $ref: `${COMPONENTS}Error` }, example } }
  return { description: when, content }
}

const rateHeaders = {
  'x-ratelimit-limit': { schema: { type: 'integer' }, description: 'Requests per minute' },
  'x-ratelimit-remaining': { schema: { type: 'integer' }, description: 'Requests left in this minute' },
}

const FORMATS = {
  archive: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  pdf: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
}

/** A success in the formats that it comes in. */
const contentOf = (
  { returns, alsoReturns }: Operation,
  schema: JsonSchema,
  example: OperationExample['response'],
): JsonSchema => {
  // The schema is that of the `data` of each event.
  if (returns === 'events') return { 'text/event-stream': { schema, example } }
  if (returns === 'csv') return { 'text/csv': { schema: { type: 'string' }, example } }
  if (returns !== undefined) return FORMATS[returns]
  return { 'application/json': { schema, example }, ...(alsoReturns && FORMATS[alsoReturns]) }
}

const responsesOf = (
  name: OperationName,
  { query, response }: DescribedContract['operations'][OperationName],
  example: OperationExample | undefined,
): JsonSchema => {
  const operation: Operation = operations[name]
  const errors = errorsOf(operation, query)
  const success = (description: string): JsonSchema => ({
    description,
    headers: rateHeaders,
    content: contentOf(operation, response, example?.response),
  })
  return {
    ...(operation.reuses && { 200: success('Success: it was there already') }),
    [operation.status ?? 200]: success('Success'),
    ...Object.fromEntries(errors.map((status) => [String(status), errorOf(name, status, example?.errors)])),
  }
}

const propertiesOf = (query: JsonSchema | undefined): Record<string, JsonSchema> =>
  (query?.['properties'] ?? {}) as Record<string, JsonSchema>

const parametersOf = (query: JsonSchema, example: OperationExample['query'] = {}): JsonSchema[] => {
  const required = (query['required'] ?? []) as string[]
  return Object.entries(propertiesOf(query)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    required: required.includes(name),
    schema,
    ...(name in example && { example: example[name] }),
  }))
}

const bodyOf = (
  operation: Operation,
  body: JsonSchema | undefined,
  example: OperationExample['body'],
): JsonSchema => {
  if (body === undefined) return {}
  const documented = operation.takes === 'multipart' ? 'multipart/form-data' : 'application/json'
  const types = [documented, 'application/json', 'multipart/form-data', 'application/x-www-form-urlencoded']
  const content = Object.fromEntries(
    [...new Set(types)].map((type) => [type, { schema: body, ...(type === documented && { example }) }]),
  )
  return { requestBody: { required: true, content } }
}

const describe = (
  contract: DescribedContract,
  name: OperationName,
  example: OperationExample | undefined,
): JsonSchema => {
  const operation: Operation = operations[name]
  const { body, query } = contract.operations[name]
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(operation),
    security: SECURITY[operation.auth],
    ...(query && { parameters: parametersOf(query, example?.query) }),
    ...bodyOf(operation, body, example?.body),
    responses: responsesOf(name, contract.operations[name], example),
  }
}

/** The machine-readable description of every operation, derived from the table. */
export function describeOperations(baseUrl: string): JsonSchema {
  const contract = withStrictNull(describeContract())
  const examples = readExamples()
  const paths: Record<string, JsonSchema> = {}
  const names = Object.keys(operations) as OperationName[]
  for (const name of names) {
    const { path, method } = operations[name]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(contract, name, examples[name]) }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Waymark',
      version: '2.0.0',
      description: INTRODUCTION,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
      contact: { name: 'The operator of this server', url: baseUrl },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(names.map((name) => operations[name].tag))].map((name) => ({
      name,
      description: TAGS[name] ?? name,
    })),
    paths,
    components: {
      schemas: contract.components,
      securitySchemes: {
        apiKey: header('X-API-KEY', 'The public part of an API key'),
        signature: header('X-SIGNATURE', 'HMAC-SHA256 of the canonical string, in hex'),
        timestamp: header('X-TIMESTAMP', 'Unix time in seconds or milliseconds'),
        session: { type: 'apiKey', in: 'cookie', name: 'waymark', description: "The dashboard's session" },
      },
    },
  }
}
