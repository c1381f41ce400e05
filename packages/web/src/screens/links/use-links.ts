import { useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { useState } from 'react'
import { useHidden } from '../../api/removal.ts'
import type { LinkSort } from './link-sorts.ts'
import { allLinksQuery, isSpent, type LinkFilter, linksQuery, PAGE_SIZE } from '../../api/links.ts'

const orders: Record<Exclude<LinkSort, 'newest'>, (a: Link, b: Link) => number> = {
  clicks: (a, b) => b.clicks - a.clicks,
  'last-click': (a, b) => (b.last_click_at ?? '').localeCompare(a.last_click_at ?? ''),
  code: (a, b) => a.code.localeCompare(b.code),
}

interface View extends LinkFilter {
  readonly sort: LinkSort
  readonly isArchive: boolean
}

/**
 * One page of links. The server lists newest first, page by page; another order, or the archive, is made from all of
 * them at once.
 */
export function useLinks({ sort, isArchive, search, tag }: View) {
  const filter = { search, tag }
  const viewKey = JSON.stringify([sort, isArchive, search, tag])
  const [trail, setTrail] = useState<{ of: string; cursors: readonly string[] }>({ of: viewKey, cursors: [] })
  // Another view begins at its first page.
  const cursors = trail.of === viewKey ? trail.cursors : []
  const setCursors = (next: readonly string[]): void => setTrail({ of: viewKey, cursors: next })
  const hidden = useHidden()
  const page = cursors.length

  const needsAll = sort !== 'newest' || isArchive
  const paged = useQuery({ ...linksQuery(filter, cursors.at(-1)), enabled: !needsAll })
  const all = useQuery({ ...allLinksQuery(filter), enabled: needsAll })

  const source = needsAll ? (all.data?.links ?? []) : (paged.data?.data ?? [])
  const wanted = isArchive ? source.filter((link) => isSpent(link)) : source
  const sorted = sort === 'newest' ? wanted : wanted.toSorted(orders[sort])
  const shown = needsAll ? sorted.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE) : sorted
  const total = isArchive ? wanted.length : needsAll ? (all.data?.total ?? 0) : (paged.data?.meta.total ?? 0)
  const nextCursor = needsAll
    ? (page + 1) * PAGE_SIZE < sorted.length
      ? 'next'
      : null
    : (paged.data?.meta.next_cursor ?? null)
  const query = needsAll ? all : paged

  return {
    links: shown.filter((link) => !hidden.has(link.uuid)),
    total,
    page,
    isPartial: needsAll && all.data?.isPartial === true,
    isPending: query.isPending,
    isStale: query.isPlaceholderData,
    error: query.error,
    retry: () => void query.refetch(),
    hasNext: nextCursor !== null,
    next: () => nextCursor !== null && setCursors([...cursors, nextCursor]),
    back: () => setCursors(cursors.slice(0, -1)),
  }
}
