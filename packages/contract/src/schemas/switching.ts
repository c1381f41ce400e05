import { z } from 'zod'
import { sentence } from './validate.ts'

const variants = new WeakMap<z.core.$ZodType, readonly z.ZodType[]>()

/**
 * A schema that chooses one of its variants by looking at the value. Unlike a union, it reports only the errors of the variant
 * that the sender meant.
 */
export const switching = <const T extends readonly z.ZodType[]>(
  pick: (value: unknown) => T[number],
  all: T,
): z.ZodType<z.output<T[number]>, z.input<T[number]>> => {
  const schema = z.unknown().transform((value, context) => {
    const result = pick(value).safeParse(value, { error: sentence })
    if (result.success) return result.data
    for (const issue of result.error.issues) context.issues.push({ ...issue, input: issue.input } as never)
    return z.NEVER
  })
  variants.set(schema, all)
  return schema as never
}

/** The variants of a switching schema. A schema with a description is a copy, whose variants are those of its parent. */
export const variantsOf = (schema: z.core.$ZodType): readonly z.ZodType[] | undefined =>
  variants.get(schema) ?? (schema._zod.parent && variantsOf(schema._zod.parent))
