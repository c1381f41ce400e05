import { z } from 'zod'
import { dimensions, type VisitDimension, visitDimensions } from '../dimensions.ts'
import { Removed, success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import { expiry, opaque, readInstant, uuid } from './fields.ts'

/** Dimensions that clicks can be broken down by. */
export const Dimension = z.enum(dimensions)

type Dimension = z.output<typeof Dimension>

const MAX_DIMENSIONS = 16

/** One dimension or several: a list, or one text separated by commas. Each is listed once. */
const dimensionList = z.preprocess(
  (given: Dimension | Dimension[], context) => {
    const names = [given].flat().flatMap((name: unknown) => String(name).split(','))
    if (names.length === 0 || !names.every((name) => Dimension.safeParse(name).success))
      context.addIssue({ code: 'invalid_value', values: [...dimensions], input: given })
    else if (names.length > MAX_DIMENSIONS)
      context.addIssue({ code: 'too_big', origin: 'array', maximum: MAX_DIMENSIONS, input: given })
    return [...new Set(names)]
  },
  z.union([Dimension, z.array(Dimension).max(MAX_DIMENSIONS)]).transform((given) => [given].flat()),
)

/** The source of a visit: a scanned code, or the link itself. */
const Source = z.enum(['qr', 'link'])

/** Limit for a request line: all headers together can have 16 KiB. */
const MAX_UUIDS = 400
const MAX_VALUES = 50

/** A boolean in a query string. */
const toggle = z
  .union([z.boolean(), z.enum(['1', '0', 'true', 'false'])], { error: 'Must be 1 or 0' })
  .transform((given) => given === true || given === '1' || given === 'true')

/** Several texts: a list, or one text separated by commas. */
const texts = (maxChars: number, maxTexts: number) =>
  z
    .union([opaque(maxChars * maxTexts), z.array(opaque(maxChars))])
    .transform((given) => (typeof given === 'string' ? given.split(',') : given))
    .refine((list) => list.length <= maxTexts, `Must be at most ${maxTexts}`)

/** A day or an instant as it was sent, because the time zone decides which day is meant. */
const moment = opaque(64).refine(
  (value) => readInstant(value) !== undefined,
  'Must be YYYY-MM-DD or an ISO 8601 time',
)

const values = texts(255, MAX_VALUES).optional()

const filterTexts: Readonly<Record<VisitDimension, string>> = {
  country:
    'Filter: ISO country codes. Every filter takes several values, separated by commas; `(none)` is unknown.',
  referrer: 'Filter: hosts that visitors came from.',
  device: 'Filter: `mobile`, `tablet`, `desktop`.',
  browser: 'Filter: browsers, as the breakdown names them.',
  system: 'Filter: operating systems, as the breakdown names them.',
  language: 'Filter: preferred languages without region, such as `fr`.',
  variant: 'Filter: names of variants.',
  rule: 'Filter: rules by their place in the list from 0, or `ios`, `android`.',
  utm_source: 'Filter: `utm_source` of the destination.',
  utm_medium: 'Filter: `utm_medium` of the destination.',
  utm_campaign: 'Filter: `utm_campaign` of the destination.',
}

const filters = Object.fromEntries(visitDimensions.map((name) => [name, values])) as Record<
  VisitDimension,
  typeof values
>

/** The length of one point of a series. */
export const Interval = z.enum(['hour', 'day', 'week', 'month'])

const responseTexts = {
  uuid: 'A link, dynamic code or page; null for several, a tag, a domain or the whole account.',
  from: 'Start of the period (ISO 8601, UTC).',
  to: 'End of the period (ISO 8601, UTC).',
  interval: 'Length of one point of the series.',
  totals: 'Clicks of the whole period.',
  series: 'Clicks over time, oldest first.',
  by: 'What the clicks are broken down by; null without a breakdown and for several dimensions.',
  breakdown:
    'Clicks by value, most first, without bots. An empty value means unknown. After 100 values, `(other)` is the sum of the rest. Empty for several dimensions.',
  breakdowns: 'For several dimensions: the breakdown by each of them.',
  clicks: 'Clicks, without bots.',
  uniques: 'Different visitors, counted per day.',
  bots: 'Requests of bots and crawlers.',
  at: 'Start of this point (ISO 8601, UTC).',
  value:
    'The value, such as a country or a browser. For `hour_of_week`, `1-09` is Monday from 09:00 to 10:00.',
  label: 'The label of the button or the name of the icon; null when the page no longer has it.',
  link: 'For `link`: the short link; null when it was removed.',
  rate: 'Clicks on it for each view of the page in the period; null without views.',
  uniques_exact:
    'False when a part of the period is older than the single clicks: there, visitors are counted for each link and added up.',
  timezone: 'The time zone that days, weeks and months follow.',
  timezone_exact:
    'False when days are rounded to the hour: zones apart from UTC by parts of an hour, in periods that begin before single clicks are kept.',
  previous: 'The period of the same length before this one; null unless `compare` is requested.',
}

const linkTexts = {
  short_url: 'The short link.',
  code: 'Its short code.',
  domain: 'Its domain.',
  title: 'Its title, else its description.',
}

const counts = { clicks: z.int(), uniques: z.int(), bots: z.int() }

const ClickPoint = named(
  'ClickPoint',
  'One point of a series.',
  z.object(described(responseTexts, { at: time, ...counts })),
)

const ClickShare = named(
  'ClickShare',
  'The clicks of one value.',
  z.object(
    described(responseTexts, {
      value: z.string(),
      clicks: z.int(),
      label: z.string().nullable().optional(),
      rate: z.number().nullable().optional(),
      link: named(
        'ClickedLink',
        'A short link in a breakdown.',
        z.object(
          described(linkTexts, {
            short_url: z.string(),
            code: z.string(),
            domain: z.string(),
            title: z.string().nullable(),
          }),
        ),
      )
        .nullable()
        .optional(),
    }),
  ),
)

/** Clicks over time and by dimension. */
export const Analytics = named(
  'ClickStatistics',
  'Clicks over time and by origin.',
  z.object(
    described(responseTexts, {
      uuid: z.string().nullable(),
      from: time,
      to: time,
      interval: Interval,
      totals: named('ClickCounts', 'Numbers of clicks.', z.object(described(responseTexts, counts))),
      series: z.array(ClickPoint),
      uniques_exact: z.boolean(),
      by: Dimension.nullable(),
      timezone: z.string(),
      timezone_exact: z.boolean(),
      previous: named(
        'PreviousClicks',
        'The clicks of the period before.',
        z.object(
          described(responseTexts, {
            from: time,
            to: time,
            totals: named('ClickCounts', 'Numbers of clicks.', z.object(described(responseTexts, counts))),
            series: z.array(ClickPoint),
          }),
        ),
      ).nullable(),
      breakdown: z.array(ClickShare),
      breakdowns: z.partialRecord(Dimension, z.array(ClickShare)).optional(),
    }),
  ),
)

const AnalyticsQuery = z.object(
  described(
    {
      uuid: `Links, dynamic codes or pages: one, or up to ${MAX_UUIDS} separated by commas. Default: the whole account.`,
      tag: 'Links that have this tag now.',
      domain: 'Links of this domain.',
      from: 'Start of the period: `YYYY-MM-DD` (that day in `timezone`) or ISO 8601. Default: 30 days before `to`.',
      to: 'End of the period: `YYYY-MM-DD` or ISO 8601. Default: now.',
      interval: 'Length of one point of the series. Default `day`.',
      by: `What to break the clicks down by: one dimension, or up to ${MAX_DIMENSIONS} separated by commas. Default: no breakdown.`,
      timezone: 'The time zone that days, weeks and months follow, such as `Europe/Berlin`. Default `UTC`.',
      compare: '1: also the period of the same length before this one.',
      ...filterTexts,
      source: 'Filter: `qr` for scans of codes, `link` for all others.',
      bot: 'Filter: 1 for bots alone, 0 for none.',
    },
    {
      uuid: texts(64, MAX_UUIDS).optional(),
      tag: opaque(255).optional(),
      domain: opaque(255).optional(),
      from: moment.optional(),
      to: moment.optional(),
      interval: Interval.optional(),
      by: dimensionList.optional(),
      timezone: opaque(64).optional(),
      compare: toggle.optional(),
      ...filters,
      source: Source.optional(),
      bot: toggle.optional(),
    },
  ),
)

const sharedTexts = {
  uuid: 'The `uuid` of the link or page.',
  type: 'What it is.',
  name: 'The title, or the short code of a link without one.',
  shared_url: 'The public address of its statistics. Everyone who has the address can read them.',
  expires_at: 'When the address stops working (`YYYY-MM-DD` or ISO 8601); null: never.',
  created_by: 'The `uuid` of the user who shared it.',
  created_at: 'When it was shared (ISO 8601, UTC).',
}

/** Statistics that have a public address. */
const SharedStatistics = named(
  'SharedStatistics',
  'Statistics of a link or page that can be read at a public address.',
  z.object(
    described(sharedTexts, {
      uuid: z.string(),
      type: z.enum(['link', 'page']),
      name: z.string(),
      shared_url: z.string(),
      expires_at: time.nullable(),
      created_by: z.string().nullable(),
      created_at: time,
    }),
  ),
)

/** Query and response of the statistics. */
export const analyticsSchemas = {
  analytics: {
    query: AnalyticsQuery,
    response: success(Analytics),
  },
  exportClicks: {
    query: AnalyticsQuery.pick({
      uuid: true,
      tag: true,
      domain: true,
      from: true,
      to: true,
      timezone: true,
    }).extend({
      format: z
        .enum(['csv', 'ndjson'])
        .optional()
        .meta({ description: 'Format of the file. Default `csv`.' }),
    }),
    response: z.string(),
  },
  shareStatistics: {
    body: z.object(described(sharedTexts, { uuid, expires_at: expiry.nullish() })),
    response: success(SharedStatistics),
  },
  sharedStatistics: { response: wholeList(SharedStatistics) },
  unshareStatistics: { body: z.object(described(sharedTexts, { uuid })), response: success(Removed) },
}
