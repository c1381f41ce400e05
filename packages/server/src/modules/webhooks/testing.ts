import { LocalBus } from '../../net/bus/bus.ts'
import type { Database } from '../../storage/db/database.ts'
import { insertTestUser } from '../../storage/db/testing.ts'
import { createSecrets } from '../../storage/secrets.ts'
import { createTrashStore } from '../owned/trash.store.ts'
import { type DeliveryDependencies, DeliveryService } from './deliveries.service.ts'
import { createDeliveryStore, type WebhookDeliveryRow } from './deliveries.store.ts'
import { Dispatcher, type DispatcherOptions } from './dispatcher.ts'
import { openWebhooks } from './open-webhooks.ts'
import type { Outbox } from './outbox.ts'
import { createWebhookStore } from './webhooks.store.ts'

const report = (error: unknown): never => {
  throw error
}

/** Webhooks on a database, with a manual clock; nothing is sent before a test asks. */
export async function openTestWebhooks(db: Database, settings: { allowPrivate?: boolean } = {}) {
  const clock = { ms: 1_800_000_000_000 }
  const now = (): number => clock.ms
  const newId = (): string => crypto.randomUUID()
  const secrets = createSecrets('a secret for tests that nobody else knows')
  const allowPrivate = settings.allowPrivate ?? true
  const bus = new LocalBus(report)
  const trash = createTrashStore(db)
  const quotas = { take: async () => {}, adjust: async () => {} }
  /** Entries for the audit log. */
  const recorded: string[] = []
  const recordOwn: DispatcherOptions['record'] = async (_workspaceUuid, operation, uuids) =>
    void recorded.push(`${operation} ${uuids.join()}`)
  const options = {
    db,
    bus,
    secrets,
    trash,
    quotas,
    allowPrivate,
    record: recordOwn,
    reportError: report,
    now,
    newId,
  }
  const webhooks = await openWebhooks(options)
  const dispatcher = (send: DispatcherOptions['send']): Dispatcher =>
    new Dispatcher({
      db,
      webhooks: createWebhookStore(db),
      deliveries: createDeliveryStore(db),
      secrets,
      allowPrivate,
      isNeeded: () => true,
      record: recordOwn,
      report,
      now,
      ...(send !== undefined && { send }),
    })
  const tester = (exchange: DeliveryDependencies['exchange']): DeliveryService =>
    new DeliveryService({
      db,
      webhooks: createWebhookStore(db),
      deliveries: createDeliveryStore(db),
      outbox: webhooks.events as Outbox,
      secrets,
      allowPrivate,
      wake: () => {},
      now,
      ...(exchange !== undefined && { exchange }),
    })
  const deliveries = (): Promise<WebhookDeliveryRow[]> =>
    db.sql.selectFrom('webhook_deliveries').selectAll().orderBy('uuid').execute()
  const record = (workspaceUuid: string, uuid = newId()): Promise<void> =>
    db.write(() => webhooks.events.record(workspaceUuid, 'link.created', () => [{ uuid }]))
  return {
    ...webhooks,
    trash,
    clock,
    dispatcher,
    tester,
    deliveries,
    record,
    recorded,
    user: await insertTestUser(db),
  }
}
