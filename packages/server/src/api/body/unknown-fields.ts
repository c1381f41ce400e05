import { UploadedFile } from '@waymark/contract'
import { SchemaPlace, type JsonSchema } from './schema-walk.ts'

/** More than this many unknown fields are not named one by one. */
export const MOST_NAMED = 1000

/** Where the walk through a schema begins; the schemas of operations live as long as the process. */
const tops = new WeakMap<JsonSchema, SchemaPlace>()

/** The fields of a value that its schema does not take; nested ones are named with dots (`buttons.0.label`). */
export function unknownFields(schema: JsonSchema, value: unknown): string[] {
  const top = tops.get(schema) ?? SchemaPlace.top(schema)
  tops.set(schema, top)
  const names: string[] = []
  collect(top, value, '', names)
  return names
}

function collect(place: SchemaPlace, value: unknown, path: string, names: string[]): void {
  if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return
  if (Array.isArray(value)) collectFromItems(place, value, path, names)
  // Where no schema lists fields, an object is either free or reported by the validation.
  else if (place.hasFields) collectFromFields(place, value, path, names)
}

/** A list that is too long is rejected by the validation, whatever the rest of it holds. */
function collectFromItems(place: SchemaPlace, list: readonly unknown[], path: string, names: string[]): void {
  const item = place.item()
  if (!item.hasInside) return
  const most = Math.min(list.length, place.mostItems)
  for (let at = 0; at < most && names.length < MOST_NAMED; at++)
    collect(item, list[at], `${path}${at}.`, names)
}

function collectFromFields(place: SchemaPlace, value: object, path: string, names: string[]): void {
  for (const key of Object.keys(value)) {
    if (names.length === MOST_NAMED) return
    if (place.knows(key)) collect(place.property(key), Reflect.get(value, key), `${path}${key}.`, names)
    else names.push(path + key)
  }
}
