import { CLICK_EVENT } from '@waymark/contract'
import { MAX_CLICKS_NAMED } from '../../clicks/counting/webhook-clicks.ts'
import { Background } from '../../work/background.ts'
import type { Database } from '../../storage/db/database.ts'
import type { WebhookClicksRow, WebhookClickStore } from './clicks.store.ts'
import type { DeliveryStore } from './deliveries.store.ts'
import type { Outbox } from './outbox.ts'
import type { WebhookRow, WebhookStore } from './webhooks.store.ts'

export interface ClickEventDependencies {
  readonly db: Database
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly clicks: WebhookClickStore
  readonly outbox: Outbox
  /** Whether any webhook is enabled. */
  readonly isNeeded: () => boolean
  readonly report: (error: unknown) => void
  readonly now: () => number
  readonly newId: () => string
}

const LOOK_MS = 1_000
/** Minimum interval between deliveries of clicks to one webhook. */
const INTERVAL_MS = 10_000
const WEBHOOKS_AT_ONCE = 100
const ROWS_AT_ONCE = 200

/**
 * Sends clicks to webhooks in batches. Clicks are stored for them in the transaction that counts them, and deleted in the one
 * that writes the delivery: none is lost when a process is killed.
 */
export class ClickEvents {
  readonly #deps: ClickEventDependencies
  readonly #background: Background

  constructor(deps: ClickEventDependencies) {
    this.#deps = deps
    this.#background = new Background(deps.report)
  }

  start(): void {
    this.#background.every(LOOK_MS, async () => {
      if (this.#deps.isNeeded()) await this.writeDeliveries()
    })
  }

  close(): Promise<void> {
    return this.#background.close()
  }

  /** Writes a delivery for every webhook whose turn it is. */
  async writeDeliveries(): Promise<void> {
    const { db, clicks } = this.#deps
    for (const uuid of await clicks.waiting(WEBHOOKS_AT_ONCE)) await db.write(() => this.#writeDelivery(uuid))
  }

  async #writeDelivery(uuid: string): Promise<void> {
    const { webhooks, clicks, outbox } = this.#deps
    const webhook = await webhooks.lock(uuid)
    if (webhook?.wants_clicks !== 1 || webhook.enabled === 0) {
      await clicks.removeSomeOfWebhook(uuid)
      return
    }
    const rows = await clicks.list(uuid, ROWS_AT_ONCE)
    const isDue = await this.#isDue(webhook)
    if (rows.length === 0 || (!isDue && rows.length === 1)) return
    await clicks.remove(rows.map((row) => row.uuid))
    const { count, named } = merged(rows)
    // Until a delivery has ended, the next clicks wait in one row, for any number of clicks.
    if (!isDue) return clicks.insert({ ...rows[0], count, clicks: JSON.stringify(named) } as WebhookClicksRow)
    const delivery = outbox.write(webhook, CLICK_EVENT, { count, clicks: named })
    await webhooks.noteClicksReported(uuid, delivery.uuid)
    await outbox.put([delivery])
  }

  async #isDue({ uuid, clicks_delivery_uuid }: WebhookRow): Promise<boolean> {
    if (clicks_delivery_uuid === null) return true
    const last = await this.#deps.deliveries.find(uuid, clicks_delivery_uuid)
    return (
      last === undefined || (last.state !== 'pending' && this.#deps.now() - last.created_at >= INTERVAL_MS)
    )
  }
}

const merged = (rows: readonly WebhookClicksRow[]): { count: number; named: unknown[] } => {
  const named: unknown[] = []
  for (const { clicks } of rows)
    if (named.length < MAX_CLICKS_NAMED) named.push(...(JSON.parse(clicks) as unknown[]))
  return { count: rows.reduce((sum, row) => sum + row.count, 0), named: named.slice(0, MAX_CLICKS_NAMED) }
}
