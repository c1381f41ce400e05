import type { Flag } from './flag.ts'

export interface WebhookRow {
  uuid: string
  workspace_uuid: string
  url: string
  description: string | null
  /** JSON list of event types; null: all of them. */
  events: string | null
  enabled: Flag
  /** Why it was switched off automatically; null otherwise. */
  disabled_reason: string | null
  /** The first failure after which nothing has arrived. */
  failing_since: number | null
  secret_sealed: string
  /** The secret before the last change, which signs as well until it lapses. */
  previous_secret_sealed: string | null
  previous_secret_until: number | null
  /** 1: it receives `link.clicked`. */
  wants_clicks: 1 | null
  /** The last delivery of clicks; the next one waits for its end. */
  clicks_delivery_uuid: string | null
  created_at: number
  updated_at: number
  /** When it was moved to the trash; 0: it was not. */
  trashed_at: number
}

/** An event on its way to one webhook; written together with the change that it reports. */
export interface WebhookDeliveryRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  type: string
  /** What is sent and signed, byte for byte the same in every attempt. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** When it is to be sent; while it is being sent, when others may conclude that its sender died. Null: ended. */
  due_at: number | null
  /** The last response of the receiver. */
  status: number | null
  error: string | null
  created_at: number
  last_attempt_at: number | null
  ended_at: number | null
}

/** Clicks that wait to be sent to one webhook; written in the transaction that counts them. */
export interface WebhookClicksRow {
  uuid: string
  webhook_uuid: string
  workspace_uuid: string
  count: number
  /** JSON list of clicks, not of all when they are many. */
  clicks: string
}
