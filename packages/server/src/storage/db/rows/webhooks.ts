import type { Flag } from './flag.ts'

export interface WebhookRow {
  uuid: string
  user_uuid: string
  url: string
  description: string | null
  /** JSON list of event types; null: all of them. */
  events: string | null
  enabled: Flag
  /** Why it was switched off, if nobody asked for that. */
  disabled_reason: string | null
  /** The first failure after which nothing has arrived. */
  failing_since: number | null
  secret_sealed: string
  created_at: number
  updated_at: number
}

/** An event on its way to one webhook; written together with the change that it reports. */
export interface WebhookDeliveryRow {
  uuid: string
  webhook_uuid: string
  user_uuid: string
  type: string
  /** What is sent and signed, byte for byte the same in every attempt. */
  body: string
  state: 'pending' | 'delivered' | 'failed'
  attempts: number
  /** When it is to be sent; while it is being sent, when others may conclude that its sender died. Null: ended. */
  due_at: number | null
  /** What the receiver answered last. */
  status: number | null
  error: string | null
  created_at: number
  last_attempt_at: number | null
  ended_at: number | null
}
