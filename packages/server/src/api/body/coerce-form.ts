import { UploadedFile } from '@waymark/contract'
import { SchemaPlace, type JsonSchema, type SchemaNode } from './schema-walk.ts'

// No exponent, no hexadecimal, no white space and no leading zeros: what people write, and what JSON would hold.
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Turns the texts of a form into the numbers and booleans its schema wants, wherever they stand. What does not
 * convert stays as it is, so that the schema itself reports it. A text that may be a string stays a string.
 */
export function coerceForm(schema: JsonSchema, value: unknown): unknown {
  return coerce(SchemaPlace.top(schema), value)
}

function coerce(place: SchemaPlace, value: unknown): unknown {
  if (typeof value === 'string') return coerceText(place.schemas, value)
  if (Array.isArray(value)) {
    const item = place.item()
    return value.map((child) => coerce(item, child))
  }
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return value
  const object: Record<string, unknown> = Object.create(null)
  for (const [key, child] of Object.entries(value)) object[key] = coerce(place.property(key), child)
  return object
}

function coerceText(schemas: readonly SchemaNode[], text: string): unknown {
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
