import { created, done, listed, listedWhole, on, removed, type Routes } from '../../api/routes.ts'
import type { DeliveryService } from './deliveries.service.ts'
import type { WebhookService } from './webhooks.service.ts'

export const webhookRoutes = (
  webhooks: WebhookService,
  deliveries: DeliveryService,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Routes => [
  on('webhooks', ({ caller }) => listedWhole('Webhooks', webhooks.list(caller.workspaceUuid))),
  on('addWebhook', async ({ caller, body }) => {
    await requireConfirmed(caller.userUuid)
    const webhook = webhooks.add(caller.workspaceUuid, body)
    return created('Webhook added; its secret is not shown again', webhook)
  }),
  on('editWebhook', ({ caller, body, request }) =>
    done('Webhook updated', webhooks.edit(caller.workspaceUuid, body, request.knownVersions)),
  ),
  on('removeWebhook', {
    prepare: () => Promise.resolve(undefined),
    run: ({ caller, body }) => removed('Webhook', webhooks.owned.remove(caller.workspaceUuid, body)),
    after: ({ body }) => webhooks.removeDeliveries(body.uuids ?? [body.uuid ?? '']),
  }),
  on('rotateWebhookSecret', ({ caller, body }) =>
    done(
      'Secret replaced; the new one is not shown again',
      webhooks.rotateSecret(caller.workspaceUuid, body.uuid),
    ),
  ),
  on('testWebhook', {
    prepare: ({ caller, body }) => deliveries.sendTest(caller.workspaceUuid, body.uuid),
    run: (_context, sent) => done('Test sent', deliveries.keepTest(sent)),
  }),
  on('redeliverWebhook', ({ caller, body }) =>
    done('Deliveries are sent again', deliveries.redeliver(caller.workspaceUuid, body)),
  ),
  on('webhookDeliveries', ({ caller, query }) =>
    listed('Deliveries', deliveries.list(caller.workspaceUuid, query.uuid, query.limit)),
  ),
]
