import { CLICK_EVENT } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { WebhookRow } from '../../storage/db/tables.ts'
import { fieldsOf } from '../owned/field-map.ts'

export type Webhook = Data<'editWebhook'>
type WebhookInput = Omit<Body<'editWebhook'>, 'uuid'>

/** Every field of a webhook; the order is that of responses. */
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

/** The column that finds the webhooks to report clicks to, without reading the events of each. */
export const wantsClicks = (events: WebhookInput['events']): 1 | null =>
  events?.includes(CLICK_EVENT) === true ? 1 : null
