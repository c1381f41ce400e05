import { COMPONENTS, type DescribedContract } from '@waymark/contract/components'
import type { JsonSchema } from '@waymark/contract/schemas'

/** The name in a reference, wrapped or not. */
export const referenceOf = (schema: JsonSchema): string | undefined => {
  const [wrapped] = (schema['allOf'] ?? []) as JsonSchema[]
  const target = (wrapped ?? schema)['$ref'] as string | undefined
  return target?.slice(COMPONENTS.length)
}

/** The schema, or the one it refers to. */
export const resolve = (contract: DescribedContract, schema: JsonSchema): JsonSchema => {
  const name = referenceOf(schema)
  return name === undefined ? schema : (contract.components[name] ?? {})
}

/** The fields of an object, or of all its variants. */
export const fieldsOf = (contract: DescribedContract, schema: JsonSchema): Record<string, JsonSchema> => {
  const target = resolve(contract, schema)
  const variants = (target['anyOf'] ?? []) as JsonSchema[]
  return Object.assign(
    {},
    ...variants.map((variant) => fieldsOf(contract, variant)),
    target['properties'],
  ) as Record<string, JsonSchema>
}

const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  (schema['properties'] ?? {}) as Record<string, JsonSchema>

/** The schema of `data` in a response. */
export const dataOf = (response: JsonSchema): JsonSchema => propertiesOf(response)['data'] ?? {}

/** Whether a response is a page of a list that may have more. */
export const isList = (response: JsonSchema): boolean =>
  String(propertiesOf(response)['meta']?.['$ref']).endsWith('/ListMeta')
