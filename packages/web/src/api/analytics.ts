import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import { api } from './client.ts'

/** How often statistics on the screen are refreshed. */
export const LIVE_MS = 2000

export type Interval = Analytics['interval']
export type Dimension = NonNullable<Analytics['by']>

export interface Range {
  readonly from: string
  /** Left out: until now, so that new clicks keep arriving. */
  readonly to?: string | undefined
  readonly interval: Interval
}

/** Clicks over time, of one thing or of everything. */
export const seriesQuery = (uuid: string | undefined, range: Range) =>
  queryOptions({
    queryKey: ['analytics', uuid ?? null, range],
    queryFn: async ({ signal }) => (await api.analytics({ uuid, ...range }, { signal })).data,
    placeholderData: keepPreviousData,
  })

/** Clicks by what they came from. */
export const breakdownQuery = (uuid: string | undefined, range: Range, by: Dimension) =>
  queryOptions({
    queryKey: ['analytics', uuid ?? null, range, by],
    queryFn: async ({ signal }) => (await api.analytics({ uuid, ...range, by }, { signal })).data.breakdown,
    placeholderData: keepPreviousData,
  })
