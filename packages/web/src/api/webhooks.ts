import { queryOptions } from '@tanstack/react-query'
import type { WebhookDelivery } from '@waymark/sdk'
import { api } from './client.ts'
import { pollEvery, queryClient } from './query-client.ts'

const WAITING_MS = 1_500
const QUIET_MS = 15_000

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks', 'list'],
  queryFn: async ({ signal }) => (await api.webhooks({}, { signal })).data,
  refetchInterval: pollEvery(QUIET_MS),
})

/** Polls faster while a delivery is pending, because the user is watching a test. */
export const deliveriesQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['webhooks', 'deliveries', uuid],
    queryFn: async ({ signal }) => (await api.webhookDeliveries({ uuid }, { signal })).data,
    refetchInterval: pollEvery((data: readonly WebhookDelivery[] | undefined) =>
      data?.some((delivery) => delivery.state === 'pending') === true ? WAITING_MS : QUIET_MS,
    ),
  })

export const webhooksChanged = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['webhooks'] })
