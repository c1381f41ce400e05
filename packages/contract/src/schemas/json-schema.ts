import { z } from 'zod'
import { variantsOf } from './switching.ts'

/** A JSON schema. */
export type JsonSchema = { [key: string]: unknown }

/** The dialect of a schema: OpenAPI 3.0, or JSON Schema itself. */
export type JsonSchemaDialect = 'openapi-3.0' | 'draft-2020-12'

/** The JSON schema of a zod schema's input or output. */
export const jsonSchemaOf = (
  schema: z.ZodType,
  io: 'input' | 'output',
  target: JsonSchemaDialect = 'openapi-3.0',
): JsonSchema => {
  const made = z.toJSONSchema(schema, {
    target,
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const variants = variantsOf(zodSchema)
      if (variants === undefined) return
      const { description } = jsonSchema
      for (const key of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, key)
      Object.assign(jsonSchema, description === undefined ? {} : { description }, {
        anyOf: variants.map((variant) => jsonSchemaOf(variant, io, target)),
      })
    },
  }) as JsonSchema
  Reflect.deleteProperty(made, '$schema')
  return made
}
