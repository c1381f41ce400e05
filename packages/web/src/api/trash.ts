import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'
import { LIST_SIZE } from './resources.ts'

/** Removed items that can still be restored, latest first. */
export const trashQuery = (search: string | undefined, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['trash', search ?? null, cursor ?? null],
    queryFn: ({ signal }) => api.trash({ search, limit: LIST_SIZE, cursor }, { signal }),
    placeholderData: keepPreviousData,
  })

const LISTS = ['links', 'qrcodes', 'barcodes', 'pages', 'utmLinks', 'tags', 'plan', 'trash'] as const

/** Refetches every list that a removal or restoration can change. */
export const listsChanged = async (): Promise<void> => {
  await Promise.all(LISTS.map((key) => queryClient.invalidateQueries({ queryKey: [key] })))
}
