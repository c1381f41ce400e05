import { UploadedFile } from '@waymark/contract'
import type { z } from 'zod'

type JsonSchema = z.core.JSONSchema.JSONSchema
type AnySchema = z.core.JSONSchema._JSONSchema

// No exponent, no hexadecimal, no white space and no leading zeros: what people write, and what JSON would hold.
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Turns the texts of a form into the numbers and booleans its schema wants, wherever they stand. What does not
 * convert stays as it is, so that the schema itself reports it. A text that may be a string stays a string.
 */
export function coerceForm(schema: JsonSchema, value: unknown): unknown {
  return coerce([schema], value, schema)
}

function coerce(schemas: readonly AnySchema[], value: unknown, root: JsonSchema): unknown {
  const open = alternatives(schemas, root)
  if (typeof value === 'string') return coerceText(open, value)
  if (Array.isArray(value)) {
    const items = open.flatMap<AnySchema>((schema) => schema.items ?? [])
    return value.map((item) => coerce(items, item, root))
  }
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return value
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, child] of Object.entries(value)) {
    const properties = open.flatMap((schema) => propertyOf(schema, key))
    object[key] = coerce(properties, child, root)
  }
  return object
}

function coerceText(schemas: readonly JsonSchema[], text: string): unknown {
  const types = new Set(schemas.flatMap((schema) => schema.type ?? []))
  const staysText = schemas.some(
    (schema) => [schema.type].flat().includes('string') && (schema.enum?.includes(text) ?? true),
  )
  if (staysText) return text
  if ((types.has('number') || types.has('integer')) && DECIMAL.test(text)) {
    const number = Number(text)
    return Number.isFinite(number) ? number : text
  }
  if (types.has('boolean')) {
    if (text === 'true' || text === '1') return true
    if (text === 'false' || text === '0') return false
  }
  return text
}

/**
 * Every schema that has a say about one value, whether all of them must hold or any: a text is converted as soon
 * as one asks for it, and the schema itself decides afterwards.
 */
function alternatives(schemas: readonly AnySchema[], root: JsonSchema): JsonSchema[] {
  const found = new Set<JsonSchema>()
  const waiting = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (typeof schema === 'boolean' || found.has(schema)) continue
    found.add(schema)
    waiting.push(...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []))
    if (schema.$ref?.startsWith('#') === true) waiting.push(resolve(schema.$ref, root))
  }
  return [...found]
}

function resolve(pointer: string, root: JsonSchema): JsonSchema {
  let at: unknown = root
  for (const step of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  }
  return typeof at === 'object' && at !== null ? (at as JsonSchema) : {}
}

function propertyOf(schema: JsonSchema, key: string): AnySchema[] {
  if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
    return [schema.properties[key] ?? {}]
  }
  return schema.additionalProperties === undefined ? [] : [schema.additionalProperties]
}
