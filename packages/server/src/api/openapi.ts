import { type Operation, type OperationName, operations } from '@waymark/contract'
import { COMPONENTS, describeContract, type DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'
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

const ERRORS: Record<number, string> = {
  400: 'The request could not be read',
  401: 'Authentication failed',
  402: "The plan's quota is reached",
  403: 'The caller may not do this',
  404: 'Unknown, or of another account',
  408: 'The body arrived too slowly',
  409: 'A name is taken, or the resource belongs to another one',
  412: 'If-Match names an older version',
  413: 'The body is over its limit',
  415: 'The content type of the body is not supported',
  422: 'A field or parameter breaks its rule',
  429: 'Rate limit exceeded',
  500: 'Internal error',
  503: 'The server is busy, or its database is unavailable',
}

const EVERY = [429, 500, 503]
const OF_BODIES = [400, 403, 408, 413, 415, 422]

/** The errors of an operation: its own, and those of what the pipeline does before it. */
const errorsOf = ({ auth, method, fails = [] }: Operation, query: JsonSchema | undefined): number[] => {
  const statuses = new Set<number>([...fails, ...EVERY])
  if (auth !== 'none') statuses.add(401)
  if (method === 'POST') for (const status of OF_BODIES) statuses.add(status)
  if (query !== undefined) statuses.add(422)
  if (query !== undefined && 'cursor' in propertiesOf(query)) statuses.add(400)
  return [...statuses].sort((a, b) => a - b)
}

const json = (schema: JsonSchema): JsonSchema => ({ content: { 'application/json': { schema } } })

const rateHeaders = {
  'x-ratelimit-limit': { schema: { type: 'integer' }, description: 'Requests per minute' },
  'x-ratelimit-remaining': { schema: { type: 'integer' }, description: 'Requests left in this minute' },
}

const FORMATS = {
  csv: { 'text/csv': { schema: { type: 'string' } } },
  archive: { 'application/gzip': { schema: { type: 'string', format: 'binary' } } },
  pdf: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
}

/** A success in the formats that it comes in. */
const contentOf = ({ answers, alsoAnswers }: Operation, answer: JsonSchema): JsonSchema => {
  // The schema is that of the `data` of each event.
  if (answers === 'events') return { 'text/event-stream': { schema: answer } }
  if (answers !== undefined) return FORMATS[answers]
  return { 'application/json': { schema: answer }, ...(alsoAnswers && FORMATS[alsoAnswers]) }
}

const responsesOf = (operation: Operation, answer: JsonSchema, query: JsonSchema | undefined): JsonSchema => {
  const errors = errorsOf(operation, query).map((status) => [
    String(status),
    { description: ERRORS[status], ...json({ $ref: `${COMPONENTS}Error` }) },
  ])
  return {
    [operation.status ?? 200]: {
      description: 'Success',
      headers: rateHeaders,
      content: contentOf(operation, answer),
    },
    ...Object.fromEntries(errors),
  }
}

const propertiesOf = (query: JsonSchema | undefined): Record<string, JsonSchema> =>
  (query?.['properties'] ?? {}) as Record<string, JsonSchema>

const parametersOf = (query: JsonSchema): JsonSchema[] => {
  const required = (query['required'] ?? []) as string[]
  return Object.entries(propertiesOf(query)).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    description,
    required: required.includes(name),
    schema,
  }))
}

const bodyOf = (operation: Operation, body: JsonSchema | undefined): JsonSchema => {
  if (body === undefined) return {}
  const documented = operation.takes === 'multipart' ? 'multipart/form-data' : 'application/json'
  const types = [documented, 'application/json', 'multipart/form-data', 'application/x-www-form-urlencoded']
  const content = Object.fromEntries([...new Set(types)].map((type) => [type, { schema: body }]))
  return { requestBody: { required: true, content } }
}

const describe = (contract: DescribedContract, name: OperationName): JsonSchema => {
  const operation: Operation = operations[name]
  const { body, query, answer } = contract.operations[name]
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    description: descriptionOf(operation),
    security: SECURITY[operation.auth],
    ...(query && { parameters: parametersOf(query) }),
    ...bodyOf(operation, body),
    responses: responsesOf(operation, answer, query),
  }
}

/** The machine-readable description of every operation, derived from the table. */
export function describeOperations(baseUrl: string): JsonSchema {
  const contract = describeContract()
  const paths: Record<string, JsonSchema> = {}
  const names = Object.keys(operations) as OperationName[]
  for (const name of names) {
    const { path, method } = operations[name]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(contract, name) }
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
