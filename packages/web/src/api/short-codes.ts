import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'

/** Whether a short code can be used on a domain; by default on the host of this instance. */
export const shortCodeQuery = (code: string, domain: string | undefined) =>
  queryOptions({
    // Not cached: another account may have taken it since.
    queryKey: ['short-code', code, domain ?? null],
    queryFn: async ({ signal }) => (await api.shortCode({ code, domain }, { signal })).data,
    gcTime: 0,
  })
