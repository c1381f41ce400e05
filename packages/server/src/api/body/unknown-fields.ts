import { UploadedFile } from '@waymark/contract'
import { SchemaPlace, type JsonSchema } from './schema-walk.ts'

/** More than this many unknown fields are not named one by one. */
const MOST_NAMED = 1000

/** The fields of a value that its schema does not take; nested ones are named with dots (`buttons.0.label`). */
export function unknownFields(schema: JsonSchema, value: unknown): string[] {
  const names: string[] = []
  for (const name of within(SchemaPlace.top(schema), value, '')) if (names.push(name) === MOST_NAMED) break
  return names
}

function* within(place: SchemaPlace, value: unknown, path: string): Generator<string> {
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return
  if (Array.isArray(value)) {
    const item = place.item()
    for (const [at, child] of value.entries()) yield* within(item, child, `${path}${at}.`)
    return
  }
  // Where no schema lists fields, an object is either free or reported by the validation.
  if (!place.hasFields) return
  for (const [key, child] of Object.entries(value)) {
    if (!place.knows(key)) yield path + key
    else if (typeof child === 'object' && child !== null)
      yield* within(place.property(key), child, `${path}${key}.`)
  }
}
