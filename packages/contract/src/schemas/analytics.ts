import { z } from 'zod'
import { success, time } from './answers.ts'
import { instant, text } from './fields.ts'

/** What clicks can be broken down by. */
export const Dimension = z.enum(['country', 'referrer', 'device', 'browser', 'system', 'button', 'icon'])

/** The length of one point of a series. */
export const Interval = z.enum(['hour', 'day', 'week', 'month'])

const counts = { clicks: z.int(), uniques: z.int(), bots: z.int() }

/** Clicks over time and by what they came from. */
export const Analytics = z.object({
  uuid: z.string().nullable(),
  from: time,
  to: time,
  interval: Interval,
  totals: z.object(counts),
  series: z.array(z.object({ at: time, ...counts })),
  by: Dimension.nullable(),
  breakdown: z
    .array(z.object({ value: z.string(), clicks: z.int() }))
    .meta({ description: 'Largest first, without bots; an empty value is one that is not known' }),
})

/** Query and answer of the statistics. */
export const analyticsSchemas = {
  analytics: {
    query: z.object({
      uuid: text(64).optional().meta({ description: 'A link, dynamic code or page; left out: all of them' }),
      from: instant(false).optional().meta({ description: 'Default: 30 days before `to`' }),
      to: instant().optional().meta({ description: 'Default: now' }),
      interval: Interval.optional().meta({ description: 'Default: day' }),
      by: Dimension.optional(),
    }),
    answer: success(Analytics),
  },
}
