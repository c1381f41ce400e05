import { type Operation, type OperationName, operations } from '@waymark/contract'
import {
  jsonSchemaOf,
  type JsonSchema,
  type OperationSchemas,
  Refusal,
  schemas,
} from '@waymark/contract/schemas'

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

const REFUSALS: Record<number, string> = {
  400: 'The request could not be read',
  401: 'Who calls could not be established',
  402: "The plan's quota is reached",
  403: 'A write with a session cookie from another origin',
  404: 'Unknown, or of another user',
  409: 'A name is taken, or the thing belongs to another',
  413: 'The body is over its limit',
  415: 'The body is of a type that is not taken',
  422: 'A field breaks its rule',
  429: 'The rate limit is passed',
  500: 'A fault of ours',
  503: 'The database cannot be reached',
}

const refusalsOf = (operation: Operation): number[] => {
  const every = [429, 500, 503]
  if (operation.auth === 'none' && operation.method === 'GET') return every
  const read = [401, 422, ...every]
  return operation.method === 'GET' ? [400, 404, ...read] : [400, 402, 403, 404, 409, 413, 415, ...read]
}

const json = (schema: JsonSchema): JsonSchema => ({ content: { 'application/json': { schema } } })

const rateHeaders = {
  'x-ratelimit-limit': { schema: { type: 'integer' }, description: 'Requests a minute' },
  'x-ratelimit-remaining': { schema: { type: 'integer' }, description: 'What is left of them' },
}

/** An answer in the formats that it comes in. */
const contentOf = (operation: Operation, answer: JsonSchema): JsonSchema => {
  if (operation.answers === 'csv') return { 'text/csv': { schema: answer } }
  const pdf =
    operation.path === '/v1/download-invoice'
      ? { 'application/pdf': { schema: { type: 'string', format: 'binary' } } }
      : {}
  return { 'application/json': { schema: answer }, ...pdf }
}

const responsesOf = (operation: Operation, answer: JsonSchema): JsonSchema => {
  const isCreate = /^\/v1\/(?:generate-|import-|add-|sign-up)/.test(operation.path)
  const refusals = refusalsOf(operation).map((status) => [
    String(status),
    { description: REFUSALS[status], ...json({ $ref: '#/components/schemas/Refusal' }) },
  ])
  return {
    [isCreate ? '201' : '200']: {
      description: 'Success',
      headers: rateHeaders,
      content: contentOf(operation, answer),
    },
    ...Object.fromEntries(refusals),
  }
}

const parametersOf = (query: JsonSchema | undefined): JsonSchema[] => {
  const properties = (query?.['properties'] ?? {}) as Record<string, JsonSchema>
  const required = (query?.['required'] ?? []) as string[]
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
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

const describe = (name: OperationName): JsonSchema => {
  const operation: Operation = operations[name]
  const { body, query, answer }: OperationSchemas = schemas[name]
  return {
    operationId: name,
    tags: [operation.tag],
    summary: operation.summary,
    security: SECURITY[operation.auth],
    ...(query && { parameters: parametersOf(jsonSchemaOf(query, 'input')) }),
    ...bodyOf(operation, body && jsonSchemaOf(body, 'input')),
    responses: responsesOf(operation, jsonSchemaOf(answer, 'output')),
  }
}

/** The machine-readable description of every operation, derived from the table. */
export function describeOperations(baseUrl: string): JsonSchema {
  const paths: Record<string, JsonSchema> = {}
  const names = Object.keys(operations) as OperationName[]
  for (const name of names) {
    const { path, method } = operations[name]
    paths[path] = { ...paths[path], [method.toLowerCase()]: describe(name) }
  }
  return {
    openapi: '3.0.3',
    info: {
      title: 'Waymark',
      version: '2.0.0',
      description: 'Short links, QR codes, barcodes, custom pages and UTM links.',
      license: { name: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: [...new Set(names.map((name) => operations[name].tag))].map((name) => ({ name })),
    paths,
    components: {
      schemas: { Refusal: jsonSchemaOf(Refusal, 'output') },
      securitySchemes: {
        apiKey: header('X-API-KEY', 'The public half of an API key'),
        signature: header('X-SIGNATURE', 'HMAC-SHA256 of the canonical string, in hex'),
        timestamp: header('X-TIMESTAMP', 'Unix time in seconds or milliseconds'),
        session: { type: 'apiKey', in: 'cookie', name: 'waymark', description: "The dashboard's session" },
      },
    },
  }
}
