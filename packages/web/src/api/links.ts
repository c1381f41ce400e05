import { operations } from '@waymark/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { api } from './client.ts'

export const PAGE_SIZE = 50

/** Lists are served newest first; any other order is made here, of at most so many links. */
export const SORTABLE_LINKS = 3000

export interface LinkFilter {
  readonly search?: string | undefined
  readonly tag?: string | undefined
}

export const linksQuery = (filter: LinkFilter, cursor: string | undefined, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: ['links', 'page', filter, cursor ?? null, limit],
    queryFn: ({ signal }) => api.links({ ...filter, cursor, limit }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The links that a sort or a look into the archive needs all at once. */
export const allLinksQuery = (filter: LinkFilter) =>
  queryOptions({
    queryKey: ['links', 'all', filter],
    queryFn: async ({ signal }) => {
      const links: Link[] = []
      let cursor: string | undefined
      let total = 0
      do {
        const page = await api.links({ ...filter, cursor, limit: 1000 }, { signal })
        links.push(...page.data)
        total = page.meta.total
        cursor = page.meta.next_cursor ?? undefined
      } while (cursor !== undefined && links.length < SORTABLE_LINKS)
      return { links, total, isPartial: cursor !== undefined }
    },
    placeholderData: keepPreviousData,
  })

/** Where the browser finds the links that a filter leaves as a file; its session goes along. */
export const exportAddress = ({ search, tag }: LinkFilter): string => {
  const query = new URLSearchParams()
  if (search !== undefined) query.set('search', search)
  if (tag !== undefined) query.set('tag', tag)
  return query.size === 0 ? operations.exportLinks.path : `${operations.exportLinks.path}?${query}`
}

/** One link, found by its code: there is no operation that answers a single one. */
export const linkQuery = (code: string, domain: string | undefined) =>
  queryOptions({
    queryKey: ['links', 'one', code, domain ?? null],
    queryFn: async ({ signal }) => {
      for await (const link of api.all('links', { search: code, limit: 1000 }, { signal })) {
        if (link.code === code && (domain === undefined || link.domain === domain)) return link
      }
      return null
    },
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
