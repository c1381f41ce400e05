import { calls } from '@waymark/sdk/calls'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { api } from './client.ts'

export type LinkState = 'active' | 'expired' | 'archived'

/** Which links. */
export interface LinkFilter {
  readonly search?: string | undefined
  /** Links must have all of these. */
  readonly tag?: string[] | undefined
  readonly domain?: string | undefined
  /** Only links that belong to no page, code or UTM link. */
  readonly owner?: 'none' | undefined
  /** Absent: any state. */
  readonly state?: LinkState | undefined
}

/** Sort orders and directions of links. */
export interface LinkOrder {
  readonly sort?: 'clicks' | 'last_click_at' | undefined
  readonly order?: 'asc' | undefined
}

export const linksQuery = (view: LinkFilter & LinkOrder, cursor: string | undefined, limit: number) =>
  queryOptions({
    queryKey: ['links', 'page', view, cursor ?? null, limit],
    queryFn: ({ signal }) => api.links({ ...view, cursor, limit }, { signal }),
    placeholderData: keepPreviousData,
  })

const RECENT = 5

/** The newest links for Home. */
export const recentLinksQuery = linksQuery({ owner: 'none' }, undefined, RECENT)

/** The URL where the browser downloads the links of a filter; its session is sent along. */
export const exportAddress = (filter: LinkFilter & { readonly uuid?: string }): string => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter))
    for (const one of Array.isArray(value) ? (value as string[]) : [value])
      if (one !== undefined) query.append(name, String(one))
  return query.size === 0 ? calls.exportLinks.path : `${calls.exportLinks.path}?${query}`
}

/** The link with a short code. */
export const linkQuery = (code: string, domain: string | undefined) =>
  queryOptions({
    queryKey: ['links', 'one', code, domain ?? null],
    queryFn: async ({ signal }) => (await api.links({ code, domain, limit: 1 }, { signal })).data[0] ?? null,
  })

export const tagsQuery = queryOptions({
  queryKey: ['tags'],
  queryFn: async ({ signal }) => (await api.tags({}, { signal })).data,
  staleTime: 30_000,
})

/** Whether a link has expired or reached its click limit. */
export const isSpent = (link: Link, nowMs = Date.now()): boolean =>
  (link.expire !== null && Date.parse(link.expire) <= nowMs) ||
  (link.max_clicks !== null && link.clicks >= link.max_clicks)

/** The name of a link in lists, besides its short code. */
export const headingOf = (link: Link): string | null => link.title ?? link.description
