import { queryOptions } from '@tanstack/react-query'
import type { Import } from '@waymark/sdk'
import { api } from './client.ts'
import { pollEvery } from './query-client.ts'

const RUNNING_MS = 700

const isMoving = ({ state }: Import): boolean => state === 'running' || state === 'undoing'

/** The latest imports; polled while one is running. */
export const importsQuery = queryOptions({
  queryKey: ['imports', 'list'],
  queryFn: async ({ signal }) => (await api.imports({ limit: 5 }, { signal })).data,
  refetchInterval: pollEvery((data: readonly Import[] | undefined) =>
    data?.some(isMoving) === true ? RUNNING_MS : false,
  ),
  staleTime: 0,
})

/** One import; polled until it has ended. */
export const importQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['imports', 'one', uuid],
    queryFn: async ({ signal }) => (await api.imports({ uuid }, { signal })).data[0] ?? null,
    refetchInterval: pollEvery((data: Import | null | undefined) =>
      data != null && isMoving(data) ? RUNNING_MS : false,
    ),
    staleTime: 0,
  })
