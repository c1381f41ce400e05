import { z } from 'zod'
import { eventTypes } from '../events.ts'
import { resourceTexts, success, time, wholeList } from './responses.ts'
import { described, named } from './described.ts'
import { httpUrl, instant, multiLine, opaque, queryInteger, required, uuid } from './fields.ts'
import { Removal, RemovedResources } from './trash.ts'

const texts = {
  ...resourceTexts,
  url: 'Where deliveries are sent: an http or https URL.',
  description: 'A note for yourself.',
  events: 'The events to deliver; null means all except `link.clicked`.',
  enabled: 'Whether events are delivered.',
  disabled_reason: 'Why the server disabled it, or null.',
  failing_since: 'Since when all deliveries have failed (ISO 8601, UTC), or null.',
  previous_secret_expires_at:
    'Until when deliveries are also signed with the previous secret (ISO 8601, UTC), or null.',
  secret: 'Signs the deliveries (`whsec_…`). Shown only once.',
}

const events = z
  .array(z.enum(eventTypes))
  .min(1, 'Must name at least one event')
  .max(100)
  .transform((list) => [...new Set(list)])
  .nullish()

const description = multiLine(255).nullish()

/** A webhook in responses: never with its secret. */
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
      previous_secret_expires_at: time.nullable(),
      created_by: z.string().nullable(),
      created_at: time,
      updated_at: time,
    }),
  ),
)

/** A new webhook: the only response with its secret. */
export const NewWebhook = named(
  'NewWebhook',
  'A new webhook with its secret.',
  Webhook.extend(described(texts, { secret: z.string() })),
)

/** A delivery of an event to one webhook. */
export const Delivery = named(
  'WebhookDelivery',
  'An event and the state of its delivery.',
  z.object(
    described(
      {
        uuid: 'The `webhook-id` header, the same in every attempt.',
        type: 'The event, such as `link.created`.',
        state: 'Whether it was delivered, is pending, or has failed.',
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

const headers = z.record(z.string(), z.string())

/** The request that was sent to a receiver. */
export const SentRequest = named(
  'WebhookRequest',
  'The request that was sent to a receiver.',
  z.object(
    described(
      {
        method: 'Always `POST`.',
        url: 'Where it was sent.',
        headers: 'Its headers.',
        body: 'Its body, as it was signed.',
      },
      { method: z.literal('POST'), url: z.string(), headers, body: z.string() },
    ),
  ),
)

/** The response of a receiver. */
export const ReceiverResponse = named(
  'WebhookResponse',
  'The response of a receiver.',
  z.object(
    described(
      {
        status: 'Its HTTP status.',
        headers: 'Its headers.',
        body: 'The first 4 KiB of its body, as text.',
        duration_ms: 'How long it took, in milliseconds.',
      },
      { status: z.int(), headers, body: z.string(), duration_ms: z.int() },
    ),
  ),
)

/** A test of a webhook. */
export const TestedDelivery = named(
  'TestedWebhookDelivery',
  'A test delivery with its request and response.',
  Delivery.extend({
    request: SentRequest,
    response: ReceiverResponse.nullable().meta({
      description: 'The response of the receiver; null if there was none.',
    }),
  }),
)

const Redelivery = z
  .object(
    described(
      {
        uuid: 'Identifies the webhook.',
        delivery: 'The `uuid` of one delivery.',
        since: 'All deliveries of events since this time. `YYYY-MM-DD` or ISO 8601.',
        state: 'With `since`: only deliveries in this state.',
      },
      {
        uuid,
        delivery: required(opaque()).nullish(),
        since: instant(false).nullish(),
        state: z.enum(['delivered', 'failed']).nullish(),
      },
    ),
  )
  .refine(
    ({ delivery, since }) => (delivery ?? undefined) !== undefined || (since ?? undefined) !== undefined,
    {
      path: ['delivery'],
      error: 'Give delivery or since',
    },
  )

/** Body, query and response of every operation on webhooks. */
export const webhookSchemas = {
  webhooks: { response: wholeList(Webhook) },
  addWebhook: {
    body: z.object(described(texts, { url: httpUrl, events, description })),
    response: success(NewWebhook),
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
    response: success(Webhook),
  },
  removeWebhook: { body: Removal, response: success(RemovedResources) },
  testWebhook: { body: z.object({ uuid }), response: success(TestedDelivery) },
  rotateWebhookSecret: { body: z.object({ uuid }), response: success(NewWebhook) },
  redeliverWebhook: {
    body: Redelivery,
    response: success(
      z.object(
        described(
          {
            count: 'Number of deliveries that are sent again.',
            more: 'Whether there are more; call again for the rest.',
          },
          { count: z.int(), more: z.boolean() },
        ),
      ),
    ),
  },
  webhookDeliveries: {
    query: z.object({
      uuid: uuid.meta({ description: 'Identifies the webhook.' }),
      limit: queryInteger(1, 100).optional().meta({ description: '1 to 100, default 20.' }),
    }),
    response: wholeList(Delivery),
  },
}
