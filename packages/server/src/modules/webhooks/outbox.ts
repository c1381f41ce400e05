import { CLICK_EVENT, type EventType } from '@waymark/contract'
import type { Database } from '../../storage/db/database.ts'
import { Background } from '../../work/background.ts'
import { isoTime } from '../../work/times.ts'
import type { Events, Items } from '../owned/events.ts'
import type { DeliveryStore, WebhookDeliveryRow } from './deliveries.store.ts'
import type { WebhookRow, WebhookStore } from './webhooks.store.ts'

interface OutboxDependencies {
  readonly db: Database
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly subscribers: Subscribers
  /** Called after the commit when something waits to be sent. */
  readonly wake: () => void
  readonly now: () => number
  readonly newId: () => string
}

/** The result of nearly every call, created once. */
const NOTHING_TO_DO = Promise.resolve()

/** Stores events in the transaction of the changes that they report. */
export class Outbox implements Events {
  readonly #deps: OutboxDependencies

  constructor(deps: OutboxDependencies) {
    this.#deps = deps
  }

  record(workspaceUuid: string, type: EventType, items: Items): Promise<void> {
    return this.#deps.subscribers.has(workspaceUuid)
      ? this.#enqueue(workspaceUuid, type, items)
      : NOTHING_TO_DO
  }

  async #enqueue(workspaceUuid: string, type: EventType, items: Items): Promise<void> {
    const webhooks = (await this.#deps.webhooks.list(workspaceUuid)).filter((row) => wants(row, type))
    if (webhooks.length === 0) return
    const data = await items()
    await this.put(webhooks.flatMap((webhook) => data.map((item) => this.write(webhook, type, item))))
  }

  /** The delivery of an event to one webhook. */
  write({ uuid, workspace_uuid }: WebhookRow, type: string, data: object): WebhookDeliveryRow {
    const at = this.#deps.now()
    return {
      uuid: this.#deps.newId(),
      webhook_uuid: uuid,
      workspace_uuid,
      type,
      body: JSON.stringify({ type, timestamp: isoTime(at), data }),
      state: 'pending',
      attempts: 0,
      due_at: at,
      status: null,
      error: null,
      created_at: at,
      last_attempt_at: null,
      ended_at: null,
    }
  }

  /** Inside a write. */
  async put(rows: readonly WebhookDeliveryRow[]): Promise<void> {
    const { db, deliveries, wake } = this.#deps
    await deliveries.insert(rows)
    db.afterCommit(wake)
  }
}

const wants = ({ enabled, events }: WebhookRow, type: EventType): boolean =>
  enabled === 1 && (events === null ? type !== CLICK_EVENT : (JSON.parse(events) as string[]).includes(type))

/** How soon a process notices a new webhook of another process if the message is lost. */
const REFRESH_MS = 1_000

/**
 * The accounts with webhooks, in memory, so that changes of other accounts need no query. It may have an account too many for
 * a moment; the query then finds no webhook.
 */
export class Subscribers {
  readonly #store: Pick<WebhookStore, 'subscribers' | 'version'>
  #users: Set<string> = new Set()
  #added: Set<string> = new Set()
  #version = -1
  // While the database is unavailable, the last known accounts stay in use.
  readonly #background = new Background(() => {})

  constructor(store: Pick<WebhookStore, 'subscribers' | 'version'>) {
    this.#store = store
  }

  async open(): Promise<void> {
    await this.refresh()
    this.#background.every(REFRESH_MS, () => this.refresh())
  }

  has(workspaceUuid: string): boolean {
    return this.#users.has(workspaceUuid)
  }

  get any(): boolean {
    return this.#users.size > 0
  }

  add(workspaceUuid: string): void {
    this.#users.add(workspaceUuid)
    this.#added.add(workspaceUuid)
  }

  async refresh(): Promise<void> {
    // An account added while the rows are read may be missing from them.
    this.#added = new Set()
    const version = await this.#store.version()
    if (version === this.#version) return
    const users = await this.#store.subscribers()
    this.#users = new Set([...users, ...this.#added])
    this.#version = version
  }

  close(): Promise<void> {
    return this.#background.close()
  }
}
