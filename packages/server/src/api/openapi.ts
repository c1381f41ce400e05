import { type Operation, type OperationName, operations } from '@waymark/contract'
import { COMPONENTS, describeContract, type DescribedContract } from '@waymark/contract/components'
import {
  type FieldErrors,
  type JsonSchema,
  type OperationSchemas,
  schemas,
  validate,
} from '@waymark/contract/schemas'
import { AppError, type ErrorCode, fieldError } from '../net/errors.ts'
import { type OperationExample, readExamples } from './examples.ts'

const SECURITY: Record<Operation['auth'], object[]> = {
  none: [],
  key: [{ token: [] }, { apiKey: [] }, { session: [] }],
  signed: [{ token: [] }, { apiKey: [], signature: [], timestamp: [] }, { session: [] }],
  session: [{ session: [] }],
}

const securityOf = ({ auth, tokens }: Operation): object[] =>
  SECURITY[auth].filter((scheme) => tokens !== false || !('token' in scheme))

const header = (name: string, description: string): JsonSchema => ({
  type: 'apiKey',
  in: 'header',
  name,
  description,
})

const EVERY = [429, 500, 503]
/** The caller is unknown or suspended. */
const OF_CALLERS = [401, 403]
const OF_BODIES = [400, 403, 408, 413, 415, 422]

/** The errors of an operation: its own, and those of the pipeline before it. */
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
  zip: { 'application/zip': { schema: { type: 'string', format: 'binary' } } },
  picture: Object.fromEntries(
    ['application/pdf', 'image/svg+xml', 'image/png'].map((type) => [
      type,
      { schema: { type: 'string', format: 'binary' } },
    ]),
  ),
  pdf: { 'application/pdf': { schema: { type: 'string', format: 'binary' } } },
  ndjson: { 'application/x-ndjson': { schema: { type: 'string' } } },
  csv: { 'text/csv': { schema: { type: 'string' } } },
}

/** A success in its formats. */
const contentOf = (
  { returns, alsoReturns }: Operation,
  schema: JsonSchema,
  example: OperationExample['response'],
): JsonSchema => {
  // The schema describes the `data` of each event.
  if (returns === 'events') return { 'text/event-stream': { schema, example } }
  const second = alsoReturns && FORMATS[alsoReturns]
  if (returns === 'csv') return { 'text/csv': { schema: { type: 'string' }, example }, ...second }
  if (returns !== undefined) return FORMATS[returns]
  return { 'application/json': { schema, example }, ...second }
}

const responsesOf = (
  name: OperationName,
  { query, response }: DescribedContract['operations'][OperationName],
  example: OperationExample | undefined,
): JsonSchema => {
  const operation: Operation = operations[name]
  const errors = errorsOf(operation, query)
  const success = (description: string, shown: OperationExample['response']): JsonSchema => ({
    description,
    headers: rateHeaders,
    content: contentOf(operation, response, shown),
  })
  return {
    ...(operation.reuses && { 200: success('Success: it was there already', example?.response) }),
    [operation.status ?? 200]: success('Success', example?.response),
    ...(operation.continues && { 202: success('A second step is needed', undefined) }),
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
    security: securityOf(operation),
    ...(query && { parameters: parametersOf(query, example?.query) }),
    ...bodyOf(operation, body, example?.body),
    responses: responsesOf(name, contract.operations[name], example),
  }
}

/** The OpenAPI description of every operation, derived from the table. */
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
        token: { type: 'http', scheme: 'bearer', description: 'An access token (`wmt_…`)' },
        apiKey: header('X-API-KEY', 'The public part of an API key'),
        signature: header('X-SIGNATURE', 'HMAC-SHA256 of the canonical string, in hex'),
        timestamp: header('X-TIMESTAMP', 'Unix time in seconds or milliseconds'),
        session: { type: 'apiKey', in: 'cookie', name: 'waymark', description: "The dashboard's session" },
      },
    },
  }
}

/*
 * Null for strict readers of OpenAPI 3.0: `nullable` beside a reference or an enum does not allow null, because the
 * referenced schema and the enum still apply.
 */

const mapped = (fields: Readonly<Record<string, JsonSchema>>): Record<string, JsonSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, withNull(schema)]))

const inside = (schema: JsonSchema): JsonSchema => {
  const whole = { ...schema }
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') whole[key] = withNull(schema[key] as JsonSchema)
  for (const key of ['anyOf', 'allOf'])
    if (schema[key] !== undefined) whole[key] = (schema[key] as JsonSchema[]).map(withNull)
  if (schema['properties'] !== undefined)
    whole['properties'] = mapped(schema['properties'] as Record<string, JsonSchema>)
  return whole
}

/** A separate component: inside an `anyOf`, orval 7 generates nothing for an enum of null, which does not compile. */
const NULL: JsonSchema = { type: 'object', nullable: true, enum: [null], description: 'Null.' }

const withNull = (schema: JsonSchema): JsonSchema => {
  const whole = inside(schema)
  if (whole['nullable'] !== true) return whole
  const { nullable: _nullable, type: _type, allOf, ...rest } = whole
  if (allOf !== undefined)
    return { ...rest, anyOf: [...(allOf as JsonSchema[]), { $ref: `${COMPONENTS}Null` }] }
  const options = whole['enum'] as unknown[] | undefined
  return options === undefined || options.includes(null) ? whole : { ...whole, enum: [...options, null] }
}

/** The contract with schemas that accept null wherever they say so. */
const withStrictNull = ({ components, operations }: DescribedContract): DescribedContract => ({
  components: { ...mapped(components), Null: NULL },
  operations: Object.fromEntries(
    Object.entries(operations).map(([name, { body, query, response }]) => [
      name,
      { body: body && withNull(body), query: query && withNull(query), response: withNull(response) },
    ]),
  ) as DescribedContract['operations'],
})

/* Texts of the API's description. */

const INTRODUCTION = `Short links, QR codes, barcodes, custom pages and UTM links.

**Access tokens.** Create a token in the dashboard and send it as \`Authorization: Bearer wmt_…\`. It takes the place of a key and signature, except to change the password and to remove the account.

**Signing.** Send your key as \`X-API-KEY\`, the time as \`X-TIMESTAMP\` (Unix seconds or milliseconds) and, as \`X-SIGNATURE\`, the lower-case hex HMAC-SHA256 with your secret over four lines: the timestamp as sent, the method, the path with its query string, and the hex SHA-256 of the body. For multipart bodies the digest is that of \`<field name>\\n<hex SHA-256 of the part>\\n\`, part by part. The response to a wrong signature has \`canonical\`, the text that was expected to be signed. A timestamp in milliseconds makes the signature single-use.

**Responses.** A success is \`{"status":"success","message":…,"data":…}\`; lists add \`meta\` with \`count\`, \`total\` and \`next_cursor\`. An error is \`{"error":…}\`, with \`errors\` by field when fields are wrong.

**Idempotency.** A write takes an \`Idempotency-Key\`: for 24 hours the same key returns the same response, and the write is not done twice.`

/** The description of each group of operations. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Plan, invoices, profile, feedback, password, and removing the account.',
  Barcode: 'Barcodes in nine symbologies, as PNG and SVG.',
  'Custom Pages':
    'Landing pages with buttons, pictures and social icons, each with a short link and a QR code.',
  Health: 'Whether the service works.',
  Links: 'Short links and where they send visitors.',
  'QR Code': 'QR codes with colours, shapes and a logo, as PNG and SVG, each decoded before it is returned.',
  'UTM Builder': 'Addresses with campaign parameters.',
  Analytics: 'Clicks, scans and views.',
  'Links (extensions)': 'Tags, many links at once, and CSV files.',
  'Codes (extensions)': 'QR codes and barcodes for print, and many at once.',
  Trash: 'Removed resources, which can be restored for 30 days.',
  'Accounts (extensions)': 'Profile and invoices.',
  Domains: 'Your own host names for links and pages.',
  Webhooks: 'Signed requests to your server when something changes.',
  Workspaces: 'Workspaces, members, invitations and access tokens.',
  Dashboard: 'Sessions, keys and mails: what the dashboard uses beside the rest.',
}

const AUTHENTICATION: Readonly<Record<Operation['auth'], string>> = {
  none: 'No credentials are needed.',
  key: 'Needs an access token, or the key.',
  signed: 'Needs an access token, or the key and a signature.',
  session: 'Needs a session of the dashboard.',
}

/** The description of an operation: what it does, who may call it, and rules for all operations of its kind. */
function descriptionOf(operation: Operation): string {
  const { summary, auth, role, scope, tokens, method, repeatable, edits, fails, extension } = operation
  const sentences = [
    `${summary}.`,
    tokens === false ? 'Needs the key and a signature.' : AUTHENTICATION[auth],
  ]
  if (role !== undefined) sentences.push(`Least role: ${role}.`)
  if (scope !== undefined) sentences.push(`Scope: \`${scope}\`.`)
  if (repeatable === false)
    sentences.push(
      'The response is not stored for an `Idempotency-Key`: do not repeat a lost request blindly.',
    )
  else if (method === 'POST' && auth !== 'none')
    sentences.push('With an `Idempotency-Key` it can be sent again safely.')
  if (edits !== undefined) sentences.push('Omitted fields do not change.')
  if (fails?.includes(412) === true)
    sentences.push('With `If-Match: "<updated_at>"` a newer version is not overwritten (412).')
  if (extension === true) sentences.push('This is an extension of the published interface.')
  return sentences.join(' ')
}

/** For each status: when it is returned, and the error used as example if an operation has no recorded one. */
const ERRORS: Record<number, readonly [when: string, example: ErrorCode]> = {
  400: ['The request could not be read', 'malformed'],
  401: ['Authentication failed', 'key_invalid'],
  402: ["The plan's quota is reached", 'quota_reached'],
  403: ['The caller may not do this', 'scope_missing'],
  404: ['Unknown, or of another account', 'not_found'],
  408: ['The body arrived too slowly', 'too_slow'],
  409: ['A name is taken, or the resource belongs to another one', 'conflict'],
  412: ['If-Match names an older version', 'version_outdated'],
  413: ['The body is over its limit', 'too_large'],
  415: ['The content type of the body is not supported', 'unsupported_type'],
  422: ['A field or parameter breaks its rule', 'validation'],
  429: ['Rate limit exceeded', 'rate_limited'],
  500: ['Internal error', 'internal'],
  503: ['The server is busy, or its database is unavailable', 'busy'],
}

const slugTaken = fieldError('slug', 'This slug is taken', 'slug_taken')
const emailTaken = fieldError('email', 'This email is taken', 'email_taken')

/** The most common conflict of an operation without a recorded one. */
const CONFLICTS: Partial<Record<OperationName, AppError>> = {
  removeLinks: new AppError('link_owned'),
  editPage: slugTaken,
  bulkEditLinks: new AppError('too_many_bulk_edits'),
  undoBulkEdit: new AppError('bulk_edit_state'),
  importLinks: new AppError('too_many_imports'),
  runImport: new AppError('import_state'),
  undoImport: new AppError('import_state'),
  removeDomain: new AppError('domain_in_use'),
  addWebhook: new AppError('too_many_webhooks'),
  testWebhook: new AppError('webhook_disabled'),
  redeliverWebhook: new AppError('webhook_disabled'),
  changeEmail: emailTaken,
  confirmEmail: emailTaken,
  resendConfirmation: new AppError('email_confirmed'),
  editMember: new AppError('last_owner'),
  removeMember: new AppError('last_owner'),
  leaveWorkspace: new AppError('last_owner'),
  inviteMember: new AppError('invited_already'),
  acceptInvitation: new AppError('member_already'),
  createWorkspace: new AppError('too_many_workspaces'),
}

/** The validation errors of an operation: for a page that is too long, missing fields, or a wrong type. */
function fieldErrorsOf(name: OperationName): FieldErrors | undefined {
  const { body, query }: OperationSchemas = schemas[name]
  const schema = body ?? query
  if (schema === undefined) return undefined
  const fields = 'shape' in schema ? Object.keys(schema.shape as object) : []
  const [first] = fields
  const wrong = [
    ...(body === undefined && fields.includes('limit') ? [{ limit: '5000' }] : []),
    {},
    ...(first === undefined ? [] : [{ [first]: {} }]),
  ]
  for (const input of wrong) {
    const result = validate(schema, input)
    if (!result.ok) return result.errors
  }
  return undefined
}

const exampleOf = (name: OperationName, status: number): AppError => {
  if (status === 409 && CONFLICTS[name] !== undefined) return CONFLICTS[name]
  if (status === 403 && operations[name].method === 'GET') return new AppError('account_suspended')
  const errors = status === 422 ? fieldErrorsOf(name) : undefined
  return new AppError(ERRORS[status]?.[1] ?? 'internal', errors && { errors })
}

/** When an operation returns a status, and an example of the response; recorded examples take precedence. */
const errorExample = (
  name: OperationName,
  status: number,
): { readonly when: string; readonly example: Record<string, unknown> } => ({
  when: ERRORS[status]?.[0] ?? '',
  example: exampleOf(name, status).body,
})
