import type { Bus } from '../../runtime/bus/bus.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Events } from '../../runtime/events.ts'
import type { Secrets } from '../../runtime/secrets.ts'
import { createDeliveryStore } from './deliveries.store.ts'
import { Dispatcher } from './dispatcher.ts'
import { Outbox } from './outbox.ts'
import { Subscribers } from './subscribers.ts'
import { WebhookService } from './webhooks.service.ts'
import { createWebhookStore } from './webhooks.store.ts'

export interface OpenWebhooksOptions {
  readonly db: Database
  readonly bus: Bus
  readonly secrets: Secrets
  readonly allowPrivate: boolean
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

export interface Webhooks {
  readonly service: WebhookService
  /** Where the other services tell what has happened. */
  readonly events: Events
  /** Begins to send; a command that only changes something leaves that to the servers. */
  readonly dispatcher: Dispatcher
  readonly close: () => Promise<void>
}

const SUBSCRIBED = 'webhooks'

/** Puts together what webhooks need: who wants to know, what is to be told, and who tells it. */
export async function openWebhooks(options: OpenWebhooksOptions): Promise<Webhooks> {
  const { db, bus, secrets, allowPrivate, reportError, now, newId } = options
  const webhooks = createWebhookStore(db)
  const deliveries = createDeliveryStore(db)
  const subscribers = new Subscribers(webhooks)
  await subscribers.open()
  bus.subscribe(SUBSCRIBED, (userUuid) => subscribers.add(userUuid))
  const dispatcher = new Dispatcher({
    db,
    webhooks,
    deliveries,
    secrets,
    allowPrivate,
    isNeeded: () => subscribers.any,
    report: reportError,
    now,
  })
  const wake = (): void => dispatcher.wake()
  const outbox = new Outbox({ db, webhooks, deliveries, subscribers, wake, now, newId })
  const subscribed = (userUuid: string): void => bus.publish(SUBSCRIBED, userUuid)
  const shared = { db, webhooks, deliveries, secrets, allowPrivate, now, newId }
  const service = new WebhookService({ ...shared, outbox, subscribed })
  return { service, events: outbox, dispatcher, close: () => subscribers.close() }
}
