import type { z } from 'zod'

/** The meaning of each field, in one or two sentences of plain English (Markdown, code in backticks). */
export type FieldTexts<T> = Readonly<Record<keyof T & string, string>>

/**
 * Fields with their texts. Requests and responses of a resource use the same list, so that a field means the same in both; a
 * field without a text does not compile.
 */
export const described = <T extends Readonly<Record<string, z.ZodType>>>(
  texts: FieldTexts<T>,
  fields: T,
): T =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.meta({ description: (texts as Readonly<Record<string, string>>)[name] }),
    ]),
  ) as unknown as T

const texts = new Map<string, string>()

/** A schema that documentation and clients refer to by this name. */
export const named = <T extends z.ZodType>(title: string, description: string, schema: T): T => {
  texts.set(title, description)
  return schema.meta({ title, description })
}

/** The description of a named schema, whatever text the field that uses it has. */
export const textOf = (title: string): string | undefined => texts.get(title)
