import type { Events } from '../owned/events.ts'
import type { Core, Module, RecordOwn } from '../module.ts'
import type { RestorableDependencies } from '../owned/restorable-resource.ts'
import { openWebhooks } from './open-webhooks.ts'
import type { WebhookService } from './webhooks.service.ts'
import { created, done, listed, listedWhole, on, removed, type Routes } from '../../api/routes.ts'
import type { DeliveryService } from './deliveries.service.ts'

export interface WebhooksModule extends Module {
  /** Where the other services report changes. */
  readonly events: Events
  readonly service: WebhookService
}

/** Webhooks: their subscriptions, the outbox of events, and the dispatcher that delivers them. */
export async function webhooksModule(
  core: Core,
  { trash, quotas, record }: Pick<RestorableDependencies, 'trash' | 'quotas'> & { record: RecordOwn },
  requireConfirmed: (userUuid: string) => Promise<void>,
): Promise<WebhooksModule> {
  const webhooks = await openWebhooks({
    ...core,
    trash,
    quotas,
    record,
    allowPrivate: core.config.webhookAllowPrivate,
  })
  core.closing.defer(() => webhooks.close())
  const { service, events, dispatcher, clickEvents } = webhooks
  return {
    events,
    service,
    routes: webhookRoutes(service, webhooks.deliveryService, requireConfirmed),
    jobs: [{ name: 'webhooks', cron: '45 * * * *', run: () => service.sweep() }],
    erase: (workspaceUuid) => service.eraseSome(workspaceUuid),
    measure: ({ count }) => {
      const { counts } = dispatcher
      count('waymark_webhooks_delivered_total', 'Events delivered', () => counts.delivered)
      count('waymark_webhook_failures_total', 'Delivery attempts that failed', () => counts.failures)
    },
    // Commands leave sending to the servers.
    start: (closing) => {
      dispatcher.start()
      closing.defer(() => dispatcher.close())
      clickEvents.start()
      closing.defer(() => clickEvents.close())
    },
  }
}

const webhookRoutes = (
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
