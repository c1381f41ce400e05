import { calls } from '@waymark/sdk/calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import type { FilterName, Filters } from './analytics-filters.ts'
import { api } from './client.ts'

export type Interval = Analytics['interval']
export type Dimension = NonNullable<Analytics['by']>

/** What statistics cover: one link, code or page, the links of a tag or a domain, or with nothing given all links. */
export interface Scope {
  readonly uuid?: string | undefined
  readonly tag?: string | undefined
  readonly domain?: string | undefined
}

export interface Range {
  readonly from: string
  /** Left out: until now, so that new clicks keep arriving. */
  readonly to?: string | undefined
  readonly interval: Interval
}

/** The viewer's time zone: days on the screen are the viewer's days. */
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
    // A value with a comma in it is sent twice: a single text would be split there.
    Object.entries(filters).map(([name, values]) => [
      name,
      values?.length === 1 ? [...values, ...values] : values,
    ]),
  ) as Partial<Record<Exclude<FilterName, 'source'>, string[]>>),
})

/** Where the browser finds the single clicks of a period as a file; its session goes along. */
export const clicksAddress = (scope: Scope, { from, to }: Range): string => {
  const query = new URLSearchParams({ from, timezone: timeZone })
  for (const [name, value] of Object.entries({ ...scope, to }))
    if (value !== undefined) query.set(name, value)
  return `${calls.exportClicks.path}?${query}`
}

/** Clicks over time, and how many there were in the period before. */
export const seriesQuery = (scope: Scope, range: Range, filters: Filters = {}, isCompared = false) =>
  queryOptions({
    queryKey: ['analytics', 'series', scope, range, filters, isCompared],
    queryFn: async ({ signal }) => {
      const query = { ...asked(scope, range, filters), compare: isCompared || undefined }
      return (await api.analytics(query, { signal })).data
    },
    placeholderData: keepPreviousData,
  })

/** Clicks by what they came from. */
export const breakdownQuery = (scope: Scope, range: Range, filters: Filters, by: Dimension) =>
  queryOptions({
    queryKey: ['analytics', 'breakdown', scope, range, filters, by],
    queryFn: async ({ signal }) =>
      (await api.analytics({ ...asked(scope, range, filters), by }, { signal })).data.breakdown,
    placeholderData: keepPreviousData,
  })
