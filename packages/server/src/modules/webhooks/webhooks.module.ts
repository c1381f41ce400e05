import type { Events } from '../owned/events.ts'
import type { Core, Module } from '../module.ts'
import type { RestorableDependencies } from '../owned/restorable-resource.ts'
import { openWebhooks } from './open-webhooks.ts'
import type { WebhookService } from './webhooks.service.ts'
import { webhookRoutes } from './webhooks.routes.ts'

export interface WebhooksModule extends Module {
  /** Where the other services record what happened. */
  readonly events: Events
  readonly service: WebhookService
}

/** Webhooks: who wants which events, the outbox of events, and the dispatcher that delivers them. */
export async function webhooksModule(
  core: Core,
  { trash, quotas }: Pick<RestorableDependencies, 'trash' | 'quotas'>,
  requireConfirmed: (userUuid: string) => Promise<void>,
): Promise<WebhooksModule> {
  const webhooks = await openWebhooks({
    ...core,
    trash,
    quotas,
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
    // A command that only changes something leaves the sending to the servers.
    start: (closing) => {
      dispatcher.start()
      closing.defer(() => dispatcher.close())
      clickEvents.start()
      closing.defer(() => clickEvents.close())
    },
  }
}
