import type { Bus } from '../../net/bus/bus.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import type { RecordOwn } from '../module.ts'
import type { Events } from '../owned/events.ts'
import type { RestorableDependencies } from '../owned/restorable-resource.ts'
import type { TrashStore } from '../owned/trash.store.ts'
import { ClickEvents } from './click-events.ts'
import { createWebhookClickStore } from './clicks.store.ts'
import { DeliveryService } from './deliveries.service.ts'
import { createDeliveryStore } from './deliveries.store.ts'
import { Dispatcher } from './dispatcher.ts'
import { Outbox, Subscribers } from './outbox.ts'
import { WebhookService } from './webhooks.service.ts'
import { createWebhookStore } from './webhooks.store.ts'

export interface OpenWebhooksOptions {
  readonly db: Database
  readonly bus: Bus
  readonly secrets: Secrets
  readonly trash: TrashStore
  readonly quotas: RestorableDependencies['quotas']
  readonly allowPrivate: boolean
  /** Stores entries of the audit log. */
  readonly record: RecordOwn
  readonly reportError: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

export interface Webhooks {
  readonly service: WebhookService
  readonly deliveryService: DeliveryService
  /** Where the other services report changes. */
  readonly events: Events
  /** Starts sending; commands leave that to the servers. */
  readonly dispatcher: Dispatcher
  /** Sends clicks to webhooks after it was started. */
  readonly clickEvents: ClickEvents
  readonly close: () => Promise<void>
}

const SUBSCRIBED = 'webhooks'

/** Opens the parts of webhooks: subscribers, outbox and dispatcher. */
export async function openWebhooks(options: OpenWebhooksOptions): Promise<Webhooks> {
  const { db, bus, secrets, trash, quotas, allowPrivate, reportError, now, newId } = options
  const webhooks = createWebhookStore(db)
  const deliveries = createDeliveryStore(db)
  const clicks = createWebhookClickStore(db)
  const subscribers = new Subscribers(webhooks)
  await subscribers.open()
  bus.subscribe(SUBSCRIBED, (workspaceUuid) => subscribers.add(workspaceUuid))
  const dispatcher = new Dispatcher({
    db,
    webhooks,
    deliveries,
    secrets,
    allowPrivate,
    isNeeded: () => subscribers.any,
    record: options.record,
    report: reportError,
    now,
  })
  const wake = (): void => dispatcher.wake()
  const outbox = new Outbox({ db, webhooks, deliveries, subscribers, wake, now, newId })
  const subscribed = (workspaceUuid: string): void => bus.publish(SUBSCRIBED, workspaceUuid)
  const shared = { db, webhooks, deliveries, clicks, secrets, allowPrivate, now, newId }
  const isNeeded = (): boolean => subscribers.any
  return {
    service: new WebhookService({ ...shared, events: outbox, trash, quotas, subscribed }),
    deliveryService: new DeliveryService({ ...shared, outbox, wake }),
    events: outbox,
    dispatcher,
    clickEvents: new ClickEvents({ ...shared, outbox, isNeeded, report: reportError }),
    close: () => subscribers.close(),
  }
}
