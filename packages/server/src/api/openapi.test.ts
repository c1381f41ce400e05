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
    const { status = 200, fails = [], auth, method } = operation
    expect(statuses.filter((each) => each < 300)).toEqual([status])
    expect(statuses).toEqual(expect.arrayContaining([...fails, 429, 500, 503]))
    expect(statuses.includes(401)).toBe(auth !== 'none' || fails.includes(401))
    for (const own of [402, 404, 409, 412] as const) expect(statuses.includes(own)).toBe(fails.includes(own))
    expect(statuses.includes(415)).toBe(method === 'POST')
  },
)

it('names the formats other than JSON', () => {
  expect(formatsOf(operations.exportLinks)).toEqual(['text/csv'])
  expect(formatsOf(operations.downloadInvoice)).toEqual(['application/json', 'application/pdf'])
  expect(formatsOf(operations.links)).toEqual(['application/json'])
})

it('names 400 where a cursor can be wrong', () => {
  expect(Object.keys(responsesOf(operations.links))).toContain('400')
  expect(Object.keys(responsesOf(operations.healthcheck))).toEqual(['200', '429', '500', '503'])
})
