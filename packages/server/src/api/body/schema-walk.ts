import type { z } from 'zod'

/** A JSON schema as zod writes it for OpenAPI 3.0. */
export type JsonSchema = Readonly<Record<string, unknown>>
export type SchemaNode = z.core.JSONSchema.JSONSchema
type AnySchema = z.core.JSONSchema._JSONSchema

/** Every schema that has a say about one place in a value, and the way to the places inside it. */
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

  /** Whether objects or lists can have anything inside here. */
  get hasInside(): boolean {
    return this.hasFields || this.schemas.some(({ items }) => items !== undefined)
  }

  /** Items after so many are one too many for every schema. */
  get mostItems(): number {
    return Math.max(...this.schemas.map(({ items, maxItems }) => maxItems ?? (items ? Infinity : 0)), 0)
  }

  /** Whether some schema says which fields an object has here. */
  get hasFields(): boolean {
    return this.schemas.some(({ properties }) => properties !== undefined)
  }

  /** Whether some schema takes a field of this name here. */
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
    // Fields that a schema lists are few; free ones are named by the client.
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

/** Takes unions, intersections and references apart: whether all must hold or any, each has its say. */
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
