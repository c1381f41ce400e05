import { z } from 'zod'
import { text } from './fields.ts'

/** A time in answers: ISO 8601 UTC with milliseconds. */
export const time = z.string().meta({ format: 'date-time' })

/** The envelope of a successful answer. */
export const success = <T extends z.ZodType>(data: T) =>
  z.object({ status: z.literal('success'), message: z.string(), data })

/** The envelope of a list. */
export const list = <T extends z.ZodType>(item: T) =>
  success(z.array(item)).extend({
    meta: z.object({ count: z.int(), total: z.int(), next_cursor: z.string().nullable() }),
  })

/** An answer whose only news is that the thing is gone. */
export const Removed = z.object({ uuid: z.string() })

/** Every refusal: what to do about it in one sentence, and the wrong fields if that is what was wrong. */
export const Refusal = z.object({
  error: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  canonical: z
    .string()
    .optional()
    .meta({ description: 'Only with `Invalid signature`: the string to be signed' }),
})

/** What every list takes. */
export const ListQuery = z.object({
  limit: z.coerce
    .number('Must be a number from 1 to 1000')
    .int('Must be a whole number')
    .min(1, 'Must be at least 1')
    .max(1000, 'Must be at most 1000')
    .optional()
    .meta({ type: 'integer', description: '1 to 1000, default 100' }),
  cursor: z.string().optional().meta({ description: '`next_cursor` of the page before' }),
  search: text().optional().meta({ description: 'Case-insensitive substring' }),
})
