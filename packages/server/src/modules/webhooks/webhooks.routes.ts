import { created, done, on, type Routes } from '../../api/routes.ts'
import type { WebhookService } from './webhooks.service.ts'

export const webhookRoutes = (
  webhooks: WebhookService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('webhooks', ({ caller }) => done('Webhooks', webhooks.list(caller.userUuid))),
  on('addWebhook', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const webhook = webhooks.add(caller.userUuid, body)
    return { ...(await created('Webhook added; its secret is not shown again', webhook)), secret: true }
  }),
  on('editWebhook', ({ caller, body }) => done('Webhook updated', webhooks.edit(caller.userUuid, body))),
  on('removeWebhook', {
    prepare: () => Promise.resolve(undefined),
    run: ({ caller, body }) => done('Webhook removed', webhooks.remove(caller.userUuid, body.uuid)),
    after: ({ body }) => webhooks.removeDeliveries(body.uuid),
  }),
  on('testWebhook', ({ caller, body }) =>
    done('A test is on its way', webhooks.test(caller.userUuid, body.uuid)),
  ),
  on('webhookDeliveries', ({ caller, query }) =>
    done('Deliveries', webhooks.listDeliveries(caller.userUuid, query.uuid, query.limit)),
  ),
]
