import { type Operation, operations, type OperationName } from '@waymark/contract'
import { jsonSchemaOf, type OperationSchemas, schemas } from '@waymark/contract/schemas'
import * as fc from 'fast-check'
import { FuzzFile, valuesOf } from './fuzz-values.ts'
import { type Encoded, json, multipart, type Part } from './requests.ts'

/** A request to an operation, before it is signed. */
export interface FuzzRequest {
  readonly name: OperationName
  readonly operation: Operation
  readonly query: string
  readonly body: Encoded | undefined
  readonly headers: Readonly<Record<string, string>>
  /** What it is made of, for the report of a failure. */
  readonly fields: unknown
}

const headerText = fc.stringMatching(/^[ -~]{0,60}$/)

const headers = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        prefer: fc.oneof(fc.constant('handling=strict'), headerText),
        'if-match': fc.oneof(fc.constant('"2026-01-01T00:00:00.000Z"'), headerText),
        'idempotency-key': headerText,
        accept: fc.oneof(fc.constant('application/pdf'), headerText),
        'content-type': fc.constantFrom(
          'text/plain',
          'application/json; charset=x',
          'multipart/form-data',
          '',
        ),
        'x-forwarded-for': headerText,
        origin: headerText,
        'x-timestamp': headerText,
        cookie: headerText,
      },
      { requiredKeys: [] },
    ),
  },
)

/** The names of a value's parts, as forms have them. */
function* partsOf(name: string, value: unknown): Generator<Part> {
  if (value instanceof FuzzFile) yield { name, value: value.bytes, filename: 'a.png', type: 'image/png' }
  else if (Array.isArray(value)) for (const item of value) yield* partsOf(`${name}[]`, item)
  else if (typeof value === 'object' && value !== null)
    for (const [key, child] of Object.entries(value)) yield* partsOf(`${name}[${key}]`, child)
  else yield { name: name.replaceAll(/["\r\n]/g, ''), value: value === null ? '' : textOf(value) }
}

const asForm = (fields: unknown): Encoded =>
  multipart(
    typeof fields === 'object' && fields !== null
      ? Object.entries(fields).flatMap(([name, value]) => [...partsOf(name, value)])
      : [],
  )

const encoded = (
  fields: fc.Arbitrary<unknown>,
  format: Operation['takes'],
): fc.Arbitrary<[unknown, Encoded]> =>
  fc.tuple(fields, fc.integer({ min: 0, max: 9 })).map(([value, dice]) => {
    const isForm = format === 'multipart' ? dice > 1 : dice === 0
    return [value, isForm ? asForm(value) : json(value)]
  })

/** Requests to every operation of the table. `known` gives the uuids of resources that exist. */
export function fuzzRequests(known: fc.Arbitrary<string>): fc.Arbitrary<FuzzRequest> {
  // A stream has no end that a test could wait for.
  const all = (Object.entries(operations) as [OperationName, Operation][]).filter(
    ([, { returns }]) => returns !== 'events',
  )
  return fc.oneof(...all.map(([name, operation]) => requestsTo(name, operation, known)))
}

function requestsTo(
  name: OperationName,
  operation: Operation,
  known: fc.Arbitrary<string>,
): fc.Arbitrary<FuzzRequest> {
  const { body, query }: OperationSchemas = schemas[name]
  const fields = body === undefined ? fc.constant({}) : valuesOf(jsonSchemaOf(body, 'input'), known)
  const asked = query === undefined ? fc.constant({}) : valuesOf(jsonSchemaOf(query, 'input'), known)
  const isWrite = operation.method === 'POST'
  return fc
    .record({ headers, asked, sent: isWrite ? encoded(fields, operation.takes) : fc.constant(undefined) })
    .map(({ headers: more, asked: parameters, sent }) => ({
      name,
      operation,
      query: isWrite ? '' : queryOf(parameters),
      body: sent?.[1],
      headers: more as Record<string, string>,
      fields: sent?.[0] ?? parameters,
    }))
}

const queryOf = (parameters: unknown): string => {
  if (typeof parameters !== 'object' || parameters === null) return ''
  const pairs = Object.entries(parameters).map(([name, value]) => [name, textOf(value)])
  const text = new URLSearchParams(pairs).toString()
  return text === '' ? '' : `?${text}`
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
