import { z } from 'zod'
import { variantsOf } from './switching.ts'

/** A JSON schema, as OpenAPI 3.0 writes it. */
export type JsonSchema = { [key: string]: unknown }

/** The OpenAPI 3.0 schema of what a zod schema takes or returns. */
export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    target: 'openapi-3.0',
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const variants = variantsOf(zodSchema)
      if (variants === undefined) return
      const { description } = jsonSchema
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
      Object.assign(jsonSchema, description === undefined ? {} : { description }, {
        anyOf: variants.map((variant) => jsonSchemaOf(variant, io)),
      })
    },
  }) as JsonSchema
  Reflect.deleteProperty(made, '$schema')
  return made
}
