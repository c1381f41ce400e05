import { describe, expect, it } from 'vitest'
import { jsonSchemaOf, schemas, type JsonSchema, type OperationSchemas } from './index.ts'

const entries = Object.entries(schemas as Record<string, OperationSchemas>)

interface Found {
  readonly path: string
  readonly schema: JsonSchema
  readonly isField: boolean
}

/** Every schema inside a schema, with its dotted path. */
function* inside(schema: JsonSchema, path: string, isField = false): Generator<Found> {
  yield { path, schema, isField }
  const properties = (schema['properties'] ?? {}) as Record<string, JsonSchema>
  for (const [name, field] of Object.entries(properties)) yield* inside(field, `${path}.${name}`, true)
  for (const key of ['items', 'additionalProperties'])
    if (typeof schema[key] === 'object') yield* inside(schema[key] as JsonSchema, `${path}[]`)
  for (const variant of (schema['anyOf'] ?? []) as JsonSchema[]) yield* inside(variant, path)
}

const all = entries.flatMap(([name, { body, query, response }]) => [
  ...(body === undefined ? [] : inside(jsonSchemaOf(body, 'input'), `${name} body`)),
  ...(query === undefined ? [] : inside(jsonSchemaOf(query, 'input'), `${name} query`)),
  ...inside(jsonSchemaOf(response, 'output'), `${name} response`),
])

describe('the texts of the contract', () => {
  it('describe every field of every operation', () => {
    const fields = all.filter(({ isField }) => isField)
    expect(fields.length).toBeGreaterThan(1000)
    expect(fields.filter(({ schema }) => !schema['description']).map(({ path }) => path)).toEqual([])
  })

  it('are sentences', () => {
    const texts = new Set(all.map(({ schema }) => schema['description'] as string | undefined))
    expect([...texts].filter((text) => text !== undefined && !/^[A-Z`0-9].*\.$/.test(text))).toEqual([])
  })

  it('give each name to only one schema', () => {
    const shapes = new Map<string, Set<string>>()
    for (const { schema } of all) {
      if (typeof schema['title'] !== 'string') continue
      const { nullable: _nullable, description: _description, ...shape } = schema
      const seen = shapes.get(schema['title']) ?? new Set()
      shapes.set(schema['title'], seen.add(JSON.stringify(shape)))
    }
    expect(shapes.size).toBeGreaterThan(20)
    expect([...shapes].filter(([, seen]) => seen.size > 1).map(([title]) => title)).toEqual([])
  })
})
