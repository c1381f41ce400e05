import { operations, type Operation } from '@waymark/contract'
import type { JsonSchema } from '@waymark/contract/schemas'
import { expect, it } from 'vitest'
import { describeOperations } from './openapi.ts'

const paths = describeOperations('https://way.example')['paths'] as Record<string, Record<string, JsonSchema>>

const responsesOf = ({ path, method }: Operation): Record<string, JsonSchema> =>
  (paths[path]?.[method.toLowerCase()]?.['responses'] ?? {}) as Record<string, JsonSchema>

const formatsOf = (operation: Operation): string[] => {
  const success = responsesOf(operation)[operation.status ?? 200]
  return Object.keys(success?.['content'] ?? {})
}

it.each(Object.entries(operations as Record<string, Operation>))(
  '%s has the statuses of the table',
  (_, operation) => {
    const statuses = Object.keys(responsesOf(operation)).map(Number)
    const { status = 200, reuses, continues, fails = [], auth, method } = operation
    expect(statuses.filter((each) => each < 300)).toEqual([
      ...(reuses ? [200] : []),
      status,
      ...(continues ? [202] : []),
    ])
    expect(statuses).toEqual(expect.arrayContaining([...fails, 429, 500, 503]))
    expect(statuses.includes(401)).toBe(auth !== 'none' || fails.includes(401))
    expect(statuses.includes(403)).toBe(auth !== 'none' || method === 'POST')
    for (const own of [402, 404, 409, 412] as const) expect(statuses.includes(own)).toBe(fails.includes(own))
    expect(statuses.includes(415)).toBe(method === 'POST')
  },
)

it('lists formats other than JSON', () => {
  expect(formatsOf(operations.exportLinks)).toEqual(['text/csv'])
  expect(formatsOf(operations.downloadInvoice)).toEqual(['application/json', 'application/pdf'])
  expect(formatsOf(operations.links)).toEqual(['application/json'])
})

it('lists 400 if a cursor can be invalid', () => {
  expect(Object.keys(responsesOf(operations.links))).toContain('400')
  expect(Object.keys(responsesOf(operations.healthcheck))).toEqual(['200', '429', '500', '503'])
})

const errorOf = (operation: Operation, status: number): unknown => {
  const content = responsesOf(operation)[status]?.['content'] as Record<string, JsonSchema> | undefined
  return content?.['application/json']?.['example']
}

it('shows the errors that each operation has', () => {
  expect(errorOf(operations.generateLink, 422)).toEqual({
    error: 'Some fields are not valid',
    errors: { link: ['This field is required'] },
  })
  expect(errorOf(operations.generateLink, 409)).toEqual({
    error: 'This short code is taken',
    errors: { customLink: ['This short code is taken'] },
  })
  expect(errorOf(operations.links, 422)).toMatchObject({ errors: { limit: [expect.any(String)] } })
  expect(errorOf(operations.signIn, 401)).toEqual({ error: 'The email or the password is wrong' })
  expect(errorOf(operations.removeQr, 422)).toMatchObject({ errors: expect.any(Object) as object })
})

it('lists JSON and multipart for links, whose preview can have a picture', () => {
  for (const path of ['/v1/generate-link', '/v1/edit-links']) {
    const body = paths[path]?.['post']?.['requestBody'] as { content: object } | undefined
    expect(Object.keys(body?.content ?? {})).toEqual([
      'application/json',
      'multipart/form-data',
      'application/x-www-form-urlencoded',
    ])
  }
})
