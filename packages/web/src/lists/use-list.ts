import { type DefaultError, type QueryKey, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { WaymarkError } from '@waymark/sdk'
import { useEffect, useEffectEvent, useId } from 'react'
import { queryClient } from '../api/query-client.ts'
import { useHidden } from '../api/removal.ts'
import { FIRST_PAGE, type ListPlace } from './list-place.ts'

/** A page of a list as the server returns it. */
interface ListPage {
  readonly data: readonly { readonly uuid: string }[]
  readonly meta: { readonly total: number; readonly next_cursor: string | null }
}

/** The request for the page that begins at a cursor. */
type PageQuery<Page, Key extends QueryKey> = (
  cursor: string | undefined,
) => UseQueryOptions<Page, DefaultError, Page, Key>

/** Whether the server does not know a cursor: the sort order has changed, or the address was typed. */
const isUnknownPlace = (error: unknown): boolean => error instanceof WaymarkError && error.status === 400

/**
 * One page of a list, for every screen with a list. The address has the position; the rows are loaded page by page, so that
 * the length of the list does not matter.
 */
export function useList<Page extends ListPage, Key extends QueryKey>(pageAt: PageQuery<Page, Key>) {
  const place: ListPlace = useSearch({ strict: false })
  const trail = useLocation({ select: ({ state }) => state.trail }) ?? []
  const navigate = useNavigate()
  const hidden = useHidden()
  const topId = useId()
  const query = useQuery(pageAt(place.cursor))
  const { page = 1 } = place

  const go = async (
    to: Pick<ListPlace, 'page' | 'cursor'>,
    next: readonly string[],
    replace = false,
  ): Promise<void> => {
    await navigate({
      to: '.',
      search: (before: ListPlace) => ({ ...before, ...to }),
      state: (before) => ({ ...before, trail: next }),
      resetScroll: false,
      replace,
    })
    document.getElementById(topId)?.scrollIntoView({ block: 'nearest' })
  }
  const first = (replace = false): Promise<void> => go(FIRST_PAGE, [], replace)
  const previous = (replace = false): Promise<void> => {
    const cursor = trail.at(-1) ?? ''
    return cursor === '' || page <= 2
      ? first(replace)
      : go({ page: page - 1, cursor }, trail.slice(0, -1), replace)
  }

  const nextCursor = query.data?.meta.next_cursor ?? null
  const isSettled = query.isSuccess && !query.isPlaceholderData && !query.isFetching
  // The last rows of the last page were removed, or the cursor belongs to another list.
  const isPastEnd = isSettled && query.data?.data.length === 0 && place.cursor !== undefined
  const isLost = place.cursor !== undefined && isUnknownPlace(query.error)
  const leave = useEffectEvent(() => void (isLost ? first(true) : previous(true)))
  useEffect(() => {
    if (isLost || isPastEnd) leave()
  }, [isLost, isPastEnd])

  const loaded: readonly Page['data'][number][] = query.data?.data ?? []
  const rows = loaded.filter(({ uuid }) => !hidden.has(uuid))
  const total = query.data?.meta.total ?? 0
  return {
    rows,
    total,
    page,
    /** The id of the element to scroll to when another page is chosen. */
    topId,
    /** Nothing to show yet: the first rows, or those after removed ones, are loading. */
    isPending: query.isPending || isPastEnd || isLost || (rows.length === 0 && loaded.length > 0),
    /** The rows belong to the previous view. */
    isStale: query.isPlaceholderData,
    isEmpty: query.data !== undefined && loaded.length === 0 && total === 0,
    error: isLost ? null : query.error,
    retry: () => void query.refetch(),
    hasNext: nextCursor !== null,
    next: () =>
      void (
        nextCursor !== null && go({ page: page + 1, cursor: nextCursor }, [...trail, place.cursor ?? ''])
      ),
    /** Preloads the next page. */
    prepareNext: () => void (nextCursor !== null && queryClient.prefetchQuery(pageAt(nextCursor) as never)),
    previous: () => void previous(),
    first: () => void first(),
  }
}

export type List = Omit<ReturnType<typeof useList>, 'rows'>
