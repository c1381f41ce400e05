import { infiniteQueryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

const LIST_SIZE = 60

/** What was removed and can still be restored, latest first. */
export const trashPages = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ signal, pageParam }) => api.trash({ limit: LIST_SIZE, cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ meta }) => meta.next_cursor ?? undefined,
})

const LISTS = ['links', 'qrcodes', 'barcodes', 'pages', 'utmLinks', 'tags', 'plan', 'trash'] as const

/** Refetches every list that a removal or a restoration can change. */
export const listsChanged = async (): Promise<void> => {
  await Promise.all(LISTS.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
