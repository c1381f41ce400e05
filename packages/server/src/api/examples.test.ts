import { operations, type Operation, returnsBytes, UploadedFile } from '@waymark/contract'
import { ErrorResponse, type OperationSchemas, schemas, validate } from '@waymark/contract/schemas'
import { describe, expect, it } from 'vitest'
import { readExamples, type OperationExample } from './examples.ts'
import { describeOperations } from './openapi.ts'

/* Call a new operation in scripts/examples/scenario.ts; `npm run generate:examples` then records it. */

interface Described {
  readonly responses: Record<string, { readonly content?: Record<string, { readonly example?: unknown }> }>
}
const paths = describeOperations('https://way.example')['paths'] as Record<string, Record<string, Described>>

const examples = readExamples() as Readonly<Record<string, OperationExample>>

/** A file as in a decoded body. */
const uploaded = (filename: string): UploadedFile => {
  const file = new UploadedFile({ path: '/nowhere', size: 100, filename })
  const bytes = new Uint8Array(1)
  file.image = { hash: '00', bytes, width: 64, height: 64, format: 'webp', source: 'png' }
  return file
}

const bodyOf = ({ body = {}, files = [] }: OperationExample): object =>
  Object.fromEntries(
    Object.entries(body).map(([field, value]) => [
      field,
      files.includes(field) ? uploaded(String(value)) : value,
    ]),
  )

const fieldsOfErrors = ErrorResponse.strict()

describe.each(Object.entries(operations as Record<string, Operation>))(
  'the example of %s',
  (name, operation) => {
    const { body, query, response }: OperationSchemas = schemas[name as keyof typeof schemas]

    it('exists, with the status of the table', () => {
      expect(examples[name]?.status).toBe(operation.status ?? 200)
    })

    it('was a valid request', () => {
      const example = examples[name] as OperationExample
      if (body !== undefined) expect(validate(body, bodyOf(example))).toMatchObject({ ok: true })
      if (query !== undefined) expect(validate(query, example.query ?? {})).toMatchObject({ ok: true })
      expect(example.body === undefined).toBe(operation.method === 'GET')
    })

    it('has its own errors, which the description shows', () => {
      const { errors = {} } = examples[name] as OperationExample
      const { auth, method, path } = operation
      const wanted = [
        ...(auth === 'none' ? [] : ['401']),
        ...(method === 'POST' && auth !== 'none' ? ['400', '415'] : []),
      ]
      expect(Object.keys(errors)).toEqual(expect.arrayContaining(wanted))
      const described = paths[path]?.[method.toLowerCase()]?.responses ?? {}
      for (const [status, error] of Object.entries(errors)) {
        expect(described[status]?.content?.['application/json']?.example).toEqual(error)
      }
      for (const [status, { content }] of Object.entries(described))
        if (Number(status) >= 400) fieldsOfErrors.parse(content?.['application/json']?.example)
    })

    it('has the response that the contract describes', () => {
      const { response: recorded } = examples[name] as OperationExample
      if (returnsBytes(operation)) expect(recorded).toBeUndefined()
      else if (operation.returns === 'csv') expect(recorded).toMatch(/^(link|at),.*\r\n/)
      else expect(validate(response, recorded)).toEqual({ ok: true, value: recorded })
    })
  },
)

it('there is no example of an operation that does not exist', () => {
  expect(Object.keys(examples)).toEqual(Object.keys(operations))
})
