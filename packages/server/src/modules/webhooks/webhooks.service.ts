import type { Body, Data } from '@waymark/contract/schemas'
import { CLICK_EVENT } from '@waymark/contract'
import { AppError, fieldError } from '../../net/errors.ts'
import { namesPrivateHost } from '../../net/public-address.ts'
import { type RestorableDependencies, RestorableResource } from '../owned/restorable-resource.ts'
import { checkVersion, type KnownVersions } from '../owned/versions.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { DAY_MS, isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { WebhookClickStore } from './clicks.store.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import { newSecret, PREVIOUS_SECRET_MS } from './signing-secrets.ts'
import type { WebhookRow, WebhookStore } from './webhooks.store.ts'
import { fieldsOf } from '../owned/field-map.ts'

type NewWebhook = Data<'addWebhook'>

export interface WebhookDependencies extends RestorableDependencies {
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly clicks: WebhookClickStore
  readonly secrets: Secrets
  /** Whether receivers may be on this machine and its networks. */
  readonly allowPrivate: boolean
  /** Notifies every process that an account has a webhook. */
  readonly subscribed: (workspaceUuid: string) => void
}

const MAX_WEBHOOKS = 10
const KEPT_DAYS = 7

export class WebhookService {
  readonly #deps: WebhookDependencies

  /** Finds, lists, edits, removes, restores and erases webhooks. */
  readonly owned: RestorableResource<WebhookRow, Webhook>

  constructor(deps: WebhookDependencies) {
    this.#deps = deps
    this.owned = new RestorableResource(deps, deps.webhooks.owned, {
      type: 'webhook',
      noun: 'webhook',
      total: null,
      label: ({ description, url }) => description ?? url,
      presenterOf: () => Promise.resolve(present),
      restoring: (workspaceUuid, count) => this.#rejectTooMany(workspaceUuid, count),
      moved: async (workspaceUuid) => {
        await deps.webhooks.changed()
        deps.db.afterCommit(() => deps.subscribed(workspaceUuid))
      },
      erasing: () => deps.webhooks.changed(),
    })
  }

  async #rejectTooMany(workspaceUuid: string, added: number): Promise<void> {
    const { webhooks } = this.#deps
    await webhooks.lockAccount(workspaceUuid)
    if ((await webhooks.list(workspaceUuid)).length + added > MAX_WEBHOOKS)
      throw new AppError('too_many_webhooks')
  }

  list(workspaceUuid: string): Promise<Webhook[]> {
    return this.owned.listAll(workspaceUuid)
  }

  async add(workspaceUuid: string, input: Body<'addWebhook'>): Promise<NewWebhook> {
    const { db, webhooks, secrets, subscribed } = this.#deps
    this.#rejectPrivate(input.url)
    const secret = newSecret()
    const created = this.owned.newRow(workspaceUuid)
    const row: WebhookRow = {
      ...created,
      ...webhookFields.newColumns(input),
      wants_clicks: wantsClicks(input.events),
      disabled_reason: null,
      failing_since: null,
      secret_sealed: secrets.seal(secret, created.uuid),
      previous_secret_sealed: null,
      previous_secret_until: null,
      clicks_delivery_uuid: null,
    }
    await db.write(async () => {
      await this.#rejectTooMany(workspaceUuid, 1)
      await webhooks.insert(row)
      db.afterCommit(() => subscribed(workspaceUuid))
    })
    return { ...present(row), secret }
  }

  /** Omitted fields do not change. Enabling a webhook resets its failures. */
  async edit(workspaceUuid: string, input: Body<'editWebhook'>, versions?: KnownVersions): Promise<Webhook> {
    const { db, subscribed } = this.#deps
    if (input.url) this.#rejectPrivate(input.url)
    return db.write(async () => {
      const row = await this.#lock(workspaceUuid, input.uuid)
      await checkVersion(row, versions, () => present(row))
      const changed = await this.#update(row, {
        ...webhookFields.changedColumns({ ...input, url: input.url ?? row.url }),
        ...(input.events !== undefined && { wants_clicks: wantsClicks(input.events) }),
        ...(input.enabled !== undefined && { disabled_reason: null, failing_since: null }),
      })
      db.afterCommit(() => subscribed(workspaceUuid))
      return present(changed)
    })
  }

  /** Replaces the secret. The previous one also signs for a day, so that receivers can be changed one by one. */
  async rotateSecret(workspaceUuid: string, uuid: string): Promise<NewWebhook> {
    const { db, secrets, now } = this.#deps
    const secret = newSecret()
    return db.write(async () => {
      const row = await this.#lock(workspaceUuid, uuid)
      const changed = await this.#update(row, {
        secret_sealed: secrets.seal(secret, uuid),
        previous_secret_sealed: row.secret_sealed,
        previous_secret_until: now() + PREVIOUS_SECRET_MS,
      })
      return { ...present(changed), secret }
    })
  }

  /** Disables every webhook of an account. */
  async disableAll(userUuid: string, reason: string): Promise<void> {
    const { db, webhooks, now } = this.#deps
    await db.write(() => webhooks.disableAll(userUuid, reason, now()))
  }

  /** Deletes the deliveries of a deleted webhook, which may be too many for one transaction. */
  async removeDeliveries(uuids: readonly string[]): Promise<void> {
    const { db, deliveries, clicks } = this.#deps
    for (const uuid of uuids) {
      while (await db.write(() => clicks.removeSomeOfWebhook(uuid)));
      while (await db.write(() => deliveries.removeSomeOfWebhook(uuid)));
    }
  }

  /** Erases a batch of a deleted user's data; false when none is left. Webhooks go first, so that nothing more is sent. */
  async eraseSome(workspaceUuid: string): Promise<boolean> {
    const { clicks, deliveries } = this.#deps
    if (await this.owned.eraseSome(workspaceUuid)) return true
    if (await clicks.removeSomeOfUser(workspaceUuid)) return true
    return deliveries.removeSomeOfUser(workspaceUuid)
  }

  /** Deletes deliveries that ended some days ago. */
  async sweep(): Promise<void> {
    const { db, deliveries, now } = this.#deps
    const before = now() - KEPT_DAYS * DAY_MS
    while (await db.write(() => deliveries.removeSomeEnded(before)));
  }

  /** Rejects an address that is known to be private; the addresses of a name are checked with every connection. */
  #rejectPrivate(url: string): void {
    if (!this.#deps.allowPrivate && namesPrivateHost(new URL(url)))
      throw fieldError('url', 'Must be a public address')
  }

  /** Locks the row, so that no other edit changes it until this write ends. */
  async #lock(workspaceUuid: string, uuid: string): Promise<WebhookRow> {
    const row = await this.owned.find(workspaceUuid, uuid)
    return (await this.#deps.webhooks.lock(uuid)) ?? row
  }

  async #update(row: WebhookRow, changes: Partial<WebhookRow>): Promise<WebhookRow> {
    const changed = await this.owned.update(row, changes)
    await this.#deps.webhooks.changed()
    return changed
  }
}

const present = (row: WebhookRow): Webhook => webhookFields.show(row, undefined)

export type Webhook = Data<'editWebhook'>
type WebhookInput = Omit<Body<'editWebhook'>, 'uuid'>

/** Every field of a webhook, in the order of responses. */
export const webhookFields = fieldsOf<WebhookRow, WebhookInput, Webhook>()({
  url: { column: 'url', initial: '', show: (row) => row.url },
  description: { column: 'description', initial: null, show: (row) => row.description },
  events: {
    column: 'events',
    initial: null,
    store: (events) => JSON.stringify(events),
    show: (row) => (row.events === null ? null : (JSON.parse(row.events) as Webhook['events'])),
  },
  enabled: {
    column: 'enabled',
    initial: 1,
    store: (enabled) => (enabled ? 1 : 0),
    show: (row) => row.enabled === 1,
  },
  disabled_reason: { show: (row) => row.disabled_reason },
  failing_since: { show: (row) => isoTimeOrNull(row.failing_since) },
  previous_secret_expires_at: { show: (row) => isoTimeOrNull(row.previous_secret_until) },
  created_by: { show: (row) => row.created_by },
  created_at: { show: (row) => isoTime(row.created_at) },
  updated_at: { show: (row) => isoTime(row.updated_at) },
  uuid: { show: (row) => row.uuid },
})

/** The column that finds webhooks with clicks, without parsing the events of each. */
const wantsClicks = (events: WebhookInput['events']): 1 | null =>
  events?.includes(CLICK_EVENT) === true ? 1 : null
