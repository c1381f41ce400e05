import { queryOptions } from '@tanstack/react-query'
import { api } from './client.ts'
import { queryClient } from './query-client.ts'

export const profileQuery = queryOptions({
  queryKey: ['profile'],
  queryFn: async ({ signal }) => (await api.profile({}, { signal })).data,
  staleTime: 60_000,
})

export const emailStatusQuery = queryOptions({
  queryKey: ['email-status'],
  queryFn: async ({ signal }) => (await api.emailStatus({}, { signal })).data,
})

export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  queryFn: async ({ signal }) => (await api.instance({}, { signal })).data,
  staleTime: Number.POSITIVE_INFINITY,
})

export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: async ({ signal }) => (await api.currentPlan({}, { signal })).data,
})

export const invoicesQuery = queryOptions({
  queryKey: ['invoices'],
  queryFn: async ({ signal }) => (await api.invoices({ limit: 100 }, { signal })).data,
  // The URL of each PDF is valid for 15 minutes.
  refetchInterval: 600_000,
})

export const secondFactorsQuery = queryOptions({
  queryKey: ['second-factors'],
  queryFn: async ({ signal }) => (await api.secondFactors({}, { signal })).data,
})

export const identitiesQuery = queryOptions({
  queryKey: ['identities'],
  queryFn: async ({ signal }) => (await api.identities({}, { signal })).data,
})

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await api.sessions({}, { signal })).data,
})

export const securityEventsQuery = queryOptions({
  queryKey: ['security-events'],
  queryFn: async ({ signal }) => (await api.securityEvents({}, { signal })).data,
})

export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: async ({ signal }) => (await api.keys({ limit: 1000 }, { signal })).data,
})

export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: async ({ signal }) => (await api.domains({}, { signal })).data,
  staleTime: 60_000,
})

export const domainsChanged = (): Promise<void> =>
  queryClient.invalidateQueries({ queryKey: domainsQuery.queryKey })
