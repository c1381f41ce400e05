import { UploadedFile } from '@waymark/contract'
import type { z } from 'zod'

/** A JSON schema as zod generates it for OpenAPI 3.0. */
type JsonSchema = Readonly<Record<string, unknown>>
type SchemaNode = z.core.JSONSchema.JSONSchema
type AnySchema = z.core.JSONSchema._JSONSchema

/** All schemas that apply to one place in a value, and access to the places inside it. */
export class SchemaPlace {
  readonly schemas: readonly SchemaNode[]
  readonly #root: SchemaNode
  readonly #properties = new Map<string, SchemaPlace>()
  #item: SchemaPlace | undefined

  private constructor(schemas: readonly AnySchema[], root: SchemaNode) {
    this.schemas = flattened(schemas, root)
    this.#root = root
  }

  static top(schema: JsonSchema): SchemaPlace {
    return new SchemaPlace([schema], schema)
  }

  item(): SchemaPlace {
    return (this.#item ??= new SchemaPlace(
      this.schemas.flatMap<AnySchema>((schema) => schema.items ?? []),
      this.#root,
    ))
  }

  /** Whether objects or lists can contain anything here. */
  get hasInside(): boolean {
    return this.hasFields || this.schemas.some(({ items }) => items !== undefined)
  }

  /** The largest number of items that a schema allows. */
  get mostItems(): number {
    return Math.max(...this.schemas.map(({ items, maxItems }) => maxItems ?? (items ? Infinity : 0)), 0)
  }

  /** Whether a schema defines the fields of an object here. */
  get hasFields(): boolean {
    return this.schemas.some(({ properties }) => properties !== undefined)
  }

  /** Whether a schema allows a field of this name here. */
  knows(key: string): boolean {
    return this.schemas.some(
      ({ properties, additionalProperties }) =>
        (properties !== undefined && Object.hasOwn(properties, key)) ||
        (additionalProperties !== undefined && additionalProperties !== false),
    )
  }

  property(key: string): SchemaPlace {
    const known = this.#properties.get(key)
    if (known !== undefined) return known
    const place = this.#findProperty(key)
    // Fields in a schema are few; free ones are named by the client.
    if (this.schemas.some(({ properties }) => properties !== undefined && Object.hasOwn(properties, key)))
      this.#properties.set(key, place)
    return place
  }

  #findProperty(key: string): SchemaPlace {
    return new SchemaPlace(
      this.schemas.flatMap<AnySchema>((schema) => {
        if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) {
          return schema.properties[key] ?? []
        }
        return schema.additionalProperties ?? []
      }),
      this.#root,
    )
  }
}

/** Flattens unions, intersections and references: all their schemas apply. */
function flattened(schemas: readonly AnySchema[], root: SchemaNode): SchemaNode[] {
  const found = new Set<SchemaNode>()
  const waiting = [...schemas]
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (typeof schema === 'boolean' || found.has(schema)) continue
    found.add(schema)
    waiting.push(...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []))
    if (schema.$ref?.startsWith('#') === true) waiting.push(resolve(schema.$ref, root))
  }
  return [...found]
}

function resolve(pointer: string, root: SchemaNode): SchemaNode {
  let at: unknown = root
  for (const step of pointer.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  }
  return typeof at === 'object' && at !== null ? (at as SchemaNode) : {}
}

// No exponents, hexadecimal, white space or leading zeros: as people write numbers, and as in JSON.
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/

/**
 * Converts the texts of a form into the numbers and booleans that its schema expects. Other texts stay unchanged, so that the
 * schema reports them. A text where a string is allowed stays a string.
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

/** At most this many unknown fields are listed. */
export const MOST_NAMED = 1000

/** Caches the root place of a schema; the schemas of operations live as long as the process. */
const tops = new WeakMap<JsonSchema, SchemaPlace>()

/** The fields of a value that its schema does not define; nested ones are listed with dots (`buttons.0.label`). */
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
  // If no schema lists fields, the object is either free or rejected by the validation.
  else if (place.hasFields) collectFromFields(place, value, path, names)
}

/** The validation rejects a list that is too long, so the rest of it does not matter. */
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

/** The files where the schema expects a picture: others are not decoded, because other fields are ignored. */
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

/** A file of another kind states its kind. */
const takesPicture = (schema: SchemaNode): boolean =>
  schema.format === 'binary' && schema['x-media-type'] === undefined
