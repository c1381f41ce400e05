import { UploadedFile } from '@waymark/contract'
import { SchemaPlace, type JsonSchema, type SchemaNode } from './schema-walk.ts'

/** The files that stand where the schema takes a picture: the only ones worth decoding, as other fields are ignored. */
export function wantedUploads(schema: JsonSchema, body: unknown): UploadedFile[] {
  return [...within(SchemaPlace.top(schema), body)]
}

function* within(place: SchemaPlace, value: unknown): Generator<UploadedFile> {
  if (value instanceof UploadedFile) {
    if (place.schemas.some(takesPicture)) yield value
  } else if (Array.isArray(value)) {
    const item = place.item()
    for (const child of value) yield* within(item, child)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, child] of Object.entries(value)) yield* within(place.property(key), child)
  }
}

/** A file of another kind says what it is. */
const takesPicture = (schema: SchemaNode): boolean =>
  schema.format === 'binary' && schema['x-media-type'] === undefined
