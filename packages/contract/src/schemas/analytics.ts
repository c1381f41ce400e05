import { z } from 'zod'
import { success, time } from './answers.ts'
import { described, named } from './described.ts'
import { instant, text } from './fields.ts'

/** What clicks can be broken down by. */
export const Dimension = z.enum(['country', 'referrer', 'device', 'browser', 'system', 'button', 'icon'])

/** The length of one point of a series. */
export const Interval = z.enum(['hour', 'day', 'week', 'month'])

const texts = {
  uuid: 'A link, dynamic code or page; null for the whole account.',
  from: 'Start of the period (ISO 8601, UTC).',
  to: 'End of the period (ISO 8601, UTC).',
  interval: 'Length of one point of the series.',
  totals: 'Clicks of the whole period.',
  series: 'Clicks over time, oldest first.',
  by: 'What the clicks are broken down by; null without a breakdown.',
  breakdown: 'Clicks by value, most first, without bots. An empty value means unknown.',
  clicks: 'Clicks, without bots.',
  uniques: 'Different visitors, counted per day.',
  bots: 'Requests of bots and crawlers.',
  at: 'Start of this point (ISO 8601, UTC).',
  value: 'The value, such as a country or a browser.',
}

const counts = { clicks: z.int(), uniques: z.int(), bots: z.int() }

/** Clicks over time and by what they came from. */
export const Analytics = named(
  'Analytics',
  'Clicks over time and by where they came from.',
  z.object(
    described(texts, {
      uuid: z.string().nullable(),
      from: time,
      to: time,
      interval: Interval,
      totals: named('ClickCounts', 'Numbers of clicks.', z.object(described(texts, counts))),
      series: z.array(
        named('ClickPoint', 'One point of a series.', z.object(described(texts, { at: time, ...counts }))),
      ),
      by: Dimension.nullable(),
      breakdown: z.array(
        named(
          'ClickShare',
          'The clicks of one value.',
          z.object(described(texts, { value: z.string(), clicks: z.int() })),
        ),
      ),
    }),
  ),
)

/** Query and answer of the statistics. */
export const analyticsSchemas = {
  analytics: {
    query: z.object(
      described(
        {
          uuid: 'A link, dynamic code or page. Default: the whole account.',
          from: 'Start of the period: `YYYY-MM-DD` or ISO 8601. Default: 30 days before `to`.',
          to: 'End of the period: `YYYY-MM-DD` or ISO 8601. Default: now.',
          interval: 'Length of one point of the series. Default `day`.',
          by: 'What to break the clicks down by. Default: no breakdown.',
        },
        {
          uuid: text(64).optional(),
          from: instant(false).optional(),
          to: instant().optional(),
          interval: Interval.optional(),
          by: Dimension.optional(),
        },
      ),
    ),
    answer: success(Analytics),
  },
}
