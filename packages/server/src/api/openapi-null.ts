import type { DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'

/*
 * Null, as strict readers of OpenAPI 3.0 want it: `nullable` beside a reference or an enum allows no null, because the
 * referred schema and the enum still have to hold.
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

const withNull = (schema: JsonSchema): JsonSchema => {
  const whole = inside(schema)
  if (whole['nullable'] !== true) return whole
  const { nullable, type, allOf, ...rest } = whole
  if (allOf !== undefined)
    return { ...rest, anyOf: [...(allOf as JsonSchema[]), { type, nullable, enum: [null] }] }
  const options = whole['enum'] as unknown[] | undefined
  return options === undefined || options.includes(null) ? whole : { ...whole, enum: [...options, null] }
}

/** A contract whose schemas accept null wherever they say so. */
export const withStrictNull = ({ components, operations }: DescribedContract): DescribedContract => ({
  components: mapped(components),
  operations: Object.fromEntries(
    Object.entries(operations).map(([name, { body, query, response }]) => [
      name,
      { body: body && withNull(body), query: query && withNull(query), response: withNull(response) },
    ]),
  ) as DescribedContract['operations'],
})
