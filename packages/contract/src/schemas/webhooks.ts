import { z } from 'zod'
import { eventTypes } from '../events.ts'
import { Removed, success, time } from './answers.ts'
import { httpUrl, text, uuid } from './fields.ts'

const events = z
  .array(z.enum(eventTypes))
  .min(1, 'Must name at least one event')
  .max(100)
  .transform((list) => [...new Set(list)])
  .nullish()
  .meta({ description: 'The events to be told of; null: all of them' })

const description = text(255).nullish()

/** A webhook as it is answered: never with its secret. */
export const Webhook = z.object({
  uuid: z.string(),
  url: z.string(),
  description: z.string().nullable(),
  events: z.array(z.enum(eventTypes)).nullable(),
  enabled: z.boolean(),
  /** Why it was switched off, if nobody asked for that. */
  disabled_reason: z.string().nullable(),
  /** Since when every delivery has failed; null while they arrive. */
  failing_since: time.nullable(),
  created_at: time,
  updated_at: time,
})

/** A new webhook: the only time that its secret is seen. */
export const NewWebhook = Webhook.extend({ secret: z.string() })

/** One event on its way to one webhook. */
export const Delivery = z.object({
  /** The same as the header `webhook-id`, in every attempt. */
  uuid: z.string(),
  type: z.string(),
  state: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.int(),
  /** What the receiver answered last; null when there was no answer. */
  status: z.int().nullable(),
  error: z.string().nullable(),
  created_at: time,
  last_attempt_at: time.nullable(),
  next_attempt_at: time.nullable(),
})

/** Body, query and answer of every operation on webhooks. */
export const webhookSchemas = {
  webhooks: { answer: success(z.array(Webhook)) },
  addWebhook: { body: z.object({ url: httpUrl, events, description }), answer: success(NewWebhook) },
  editWebhook: {
    body: z.object({
      uuid,
      url: httpUrl.nullish(),
      events,
      description,
      enabled: z.boolean().nullish(),
    }),
    answer: success(Webhook),
  },
  removeWebhook: { body: z.object({ uuid }), answer: success(Removed) },
  testWebhook: { body: z.object({ uuid }), answer: success(Delivery) },
  webhookDeliveries: {
    query: z.object({
      uuid: uuid.meta({ description: 'Identifies the webhook' }),
      limit: z.coerce
        .number('Must be a number from 1 to 100')
        .int('Must be a whole number')
        .min(1, 'Must be at least 1')
        .max(100, 'Must be at most 100')
        .optional()
        .meta({ type: 'integer', description: '1 to 100, default 20' }),
    }),
    answer: success(z.array(Delivery)),
  },
}
