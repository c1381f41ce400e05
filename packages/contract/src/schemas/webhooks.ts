import { z } from 'zod'
import { eventTypes } from '../events.ts'
import { Removed, resourceTexts, success, time } from './answers.ts'
import { described, named } from './described.ts'
import { httpUrl, text, uuid } from './fields.ts'

const texts = {
  ...resourceTexts,
  url: 'Where deliveries are sent: an http or https URL.',
  description: 'A note for yourself.',
  events: 'The events to deliver; null means all of them.',
  enabled: 'Whether events are delivered.',
  disabled_reason: 'Why the server switched it off; null unless it did.',
  failing_since: 'Since when every delivery has failed (ISO 8601, UTC); null while they arrive.',
  secret: 'Signs the deliveries (`whsec_…`). Shown this once.',
}

const events = z
  .array(z.enum(eventTypes))
  .min(1, 'Must name at least one event')
  .max(100)
  .transform((list) => [...new Set(list)])
  .nullish()

const description = text(255).nullish()

/** A webhook as it is answered: never with its secret. */
export const Webhook = named(
  'Webhook',
  'A webhook.',
  z.object(
    described(texts, {
      uuid: z.string(),
      url: z.string(),
      description: z.string().nullable(),
      events: z.array(z.enum(eventTypes)).nullable(),
      enabled: z.boolean(),
      disabled_reason: z.string().nullable(),
      failing_since: time.nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** A new webhook: the only time that its secret is seen. */
export const NewWebhook = named(
  'NewWebhook',
  'A new webhook with its secret.',
  Webhook.extend(described(texts, { secret: z.string() })),
)

/** One event on its way to one webhook. */
export const Delivery = named(
  'WebhookDelivery',
  'One event and what became of its delivery.',
  z.object(
    described(
      {
        uuid: 'The `webhook-id` header, the same in every attempt.',
        type: 'The event, such as `link.created`.',
        state: 'Whether it was delivered, is still being tried, or was given up.',
        attempts: 'Number of attempts so far.',
        status: 'HTTP status of the last response; null if there was none.',
        error: 'Why the last attempt failed; null if it did not.',
        created_at: 'When the event happened (ISO 8601, UTC).',
        last_attempt_at: 'When the last attempt was made (ISO 8601, UTC).',
        next_attempt_at: 'When the next attempt is due (ISO 8601, UTC); null if there is none.',
      },
      {
        uuid: z.string(),
        type: z.string(),
        state: z.enum(['pending', 'delivered', 'failed']),
        attempts: z.int(),
        status: z.int().nullable(),
        error: z.string().nullable(),
        created_at: time,
        last_attempt_at: time.nullable(),
        next_attempt_at: time.nullable(),
      },
    ),
  ),
)

/** Body, query and answer of every operation on webhooks. */
export const webhookSchemas = {
  webhooks: { answer: success(z.array(Webhook)) },
  addWebhook: {
    body: z.object(described(texts, { url: httpUrl, events, description })),
    answer: success(NewWebhook),
  },
  editWebhook: {
    body: z.object(
      described(texts, {
        uuid,
        url: httpUrl.nullish(),
        events,
        description,
        enabled: z.boolean().nullish(),
      }),
    ),
    answer: success(Webhook),
  },
  removeWebhook: { body: z.object({ uuid }), answer: success(Removed) },
  testWebhook: { body: z.object({ uuid }), answer: success(Delivery) },
  webhookDeliveries: {
    query: z.object({
      uuid: uuid.meta({ description: 'Identifies the webhook.' }),
      limit: z.coerce
        .number('Must be a number from 1 to 100')
        .int('Must be a whole number')
        .min(1, 'Must be at least 1')
        .max(100, 'Must be at most 100')
        .optional()
        .meta({ type: 'integer', description: '1 to 100, default 20.' }),
    }),
    answer: success(z.array(Delivery)),
  },
}
