import { calls } from '@waymark/sdk/calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import type { FilterName, Filters } from './analytics-filters.ts'
import { api } from './client.ts'

export type Interval = Analytics['interval']
export type Dimension = NonNullable<Analytics['by']>

/** The scope of statistics: one link, code or page, the links of a tag or domain, or by default all links. */
export interface Scope {
  readonly uuid?: string | undefined
  readonly tag?: string | undefined
  readonly domain?: string | undefined
}

export interface Range {
  readonly from: string
  /** Absent: until now, so that new clicks are included. */
  readonly to?: string | undefined
  readonly interval: Interval
}

/** The viewer's time zone, which defines the days on the screen. */
export const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

const asked = (scope: Scope, { from, to, interval }: Range, { bot, source, ...filters }: Filters) => ({
  ...scope,
  from,
  to,
  interval,
  timezone: timeZone,
  bot,
  source: source?.length === 1 ? (source[0] as 'qr' | 'link') : undefined,
  ...(Object.fromEntries(
    // A value with a comma is sent twice: a single text would be split at it.
    Object.entries(filters).map(([name, values]) => [
      name,
      values?.length === 1 ? [...values, ...values] : values,
    ]),
  ) as Partial<Record<Exclude<FilterName, 'source'>, string[]>>),
})

/** The URL where the browser downloads the single clicks of a period; its session is sent along. */
export const clicksAddress = (scope: Scope, { from, to }: Range): string => {
  const query = new URLSearchParams({ from, timezone: timeZone })
  for (const [name, value] of Object.entries({ ...scope, to }))
    if (value !== undefined) query.set(name, value)
  return `${calls.exportClicks.path}?${query}`
}

const breakdownKey = (scope: Scope, range: Range, filters: Filters, by: Dimension) => [
  'analytics',
  'breakdown',
  scope,
  range,
  filters,
  by,
]

/**
 * Clicks over time, and their number in the previous period. One request also reads any number of breakdowns, which
 * `breakdownQuery` then finds in the cache.
 */
export const seriesQuery = (
  scope: Scope,
  range: Range,
  filters: Filters = {},
  { isCompared = false, by = [] }: { readonly isCompared?: boolean; readonly by?: readonly Dimension[] } = {},
) =>
  queryOptions({
    queryKey: ['analytics', 'series', scope, range, filters, isCompared, by],
    queryFn: async ({ signal, client }) => {
      const query = { ...asked(scope, range, filters), compare: isCompared || undefined, by: several(by) }
      const { data } = await api.analytics(query, { signal })
      for (const [dimension, rows] of breakdownsOf(data))
        client.setQueryData(breakdownKey(scope, range, filters, dimension), rows)
      return data
    },
    placeholderData: keepPreviousData,
  })

/** Clicks by dimension. */
export const breakdownQuery = (scope: Scope, range: Range, filters: Filters, by: Dimension) =>
  queryOptions({
    queryKey: breakdownKey(scope, range, filters, by),
    queryFn: async ({ signal }) =>
      (await api.analytics({ ...asked(scope, range, filters), by }, { signal })).data.breakdown,
    placeholderData: keepPreviousData,
  })

const several = (by: readonly Dimension[]) => (by.length === 0 ? undefined : [...by])

/** The breakdowns of a response. */
export const breakdownsOf = ({ by, breakdown, breakdowns = {} }: Analytics) =>
  by === null
    ? (Object.entries(breakdowns) as [Dimension, Analytics['breakdown']][])
    : [[by, breakdown] as const]
