import { TEST_EVENT } from '@waymark/contract'
import type { Body, Data } from '@waymark/contract/schemas'
import { admission } from '../../net/admission/lanes.ts'
import { type Attempt, type Exchange, TIMEOUT_MS } from '../../net/deliveries/sender.ts'
import { AppError } from '../../net/errors.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { isoTime, isoTimeOrNull } from '../../work/times.ts'
import type { Listed } from '../owned/listing.ts'
import { findOwned } from '../owned/owned-resource.ts'
import type { DeliveryStore, WebhookDeliveryRow } from './deliveries.store.ts'
import type { Outbox } from './outbox.ts'
import { secretsOf } from './signing-secrets.ts'
import type { WebhookRow, WebhookStore } from './webhooks.store.ts'

type Delivery = Data<'webhookDeliveries'>[number]
type Tested = Data<'testWebhook'>

export interface DeliveryDependencies {
  readonly db: Database
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly outbox: Outbox
  readonly secrets: Secrets
  readonly allowPrivate: boolean
  readonly wake: () => void
  readonly now: () => number
  readonly exchange?: (attempt: Attempt, keptBytes: number) => Promise<Exchange>
}

/** A sent test, with the row that records it. */
export interface SentTest {
  readonly row: WebhookDeliveryRow
  readonly tested: Tested
}

const SHOWN_DELIVERIES = 20
const SHOWN_BYTES = 4 * 1024
/** Number of deliveries that one call can resend: one statement, which other writes wait for. */
const REPEATED_AT_ONCE = 5_000

/** Loaded with the first test, to save memory. */
const exchangeLazily = async (attempt: Attempt, keptBytes: number): Promise<Exchange> =>
  (await import('../../net/deliveries/sender.ts')).exchange(attempt, keptBytes)

/** Deliveries and their outcomes, tests, and resending deliveries. */
export class DeliveryService {
  readonly #deps: DeliveryDependencies

  constructor(deps: DeliveryDependencies) {
    this.#deps = deps
  }

  /** The newest deliveries, and how many there are. */
  async list(workspaceUuid: string, uuid: string, limit = SHOWN_DELIVERIES): Promise<Listed<Delivery>> {
    await this.#find(workspaceUuid, uuid)
    const { deliveries } = this.#deps
    const items = (await deliveries.list(uuid, limit)).map(present)
    const total = items.length < limit ? items.length : await deliveries.count(uuid)
    return { items, total, nextCursor: null }
  }

  /** Sends a test event and waits for the response. Outside of any transaction. */
  async sendTest(workspaceUuid: string, uuid: string): Promise<SentTest> {
    const { outbox, secrets, allowPrivate, now, exchange = exchangeLazily } = this.#deps
    const webhook = await this.#findEnabled(workspaceUuid, uuid)
    const row = outbox.write(webhook, TEST_EVENT, { uuid })
    const leave = admission.tryEnter('newDeliveries', { requester: { account: workspaceUuid } })
    if (leave === undefined) throw new AppError('busy')
    try {
      const startedAt = now()
      const attempt: Attempt = {
        url: webhook.url,
        id: row.uuid,
        body: row.body,
        ...secretsOf(secrets, webhook, startedAt),
        allowPrivate,
        atMs: startedAt,
        timeoutMs: TIMEOUT_MS,
        signal: new AbortController().signal,
      }
      return toTest(row, attempt, await exchange(attempt, SHOWN_BYTES), now())
    } finally {
      leave()
    }
  }

  /** Stores a sent test with the other deliveries. */
  async keepTest({ row, tested }: SentTest): Promise<Tested> {
    await this.#deps.db.write(() => this.#deps.deliveries.insert([row]))
    return tested
  }

  /** Resends one finished delivery, or all since a time, with the same ids. */
  async redeliver(workspaceUuid: string, input: Body<'redeliverWebhook'>): Promise<Data<'redeliverWebhook'>> {
    const { db, deliveries, wake, now } = this.#deps
    const { uuid } = input
    const delivery = input.delivery ?? undefined
    const which = { delivery, since: input.since ?? undefined, state: input.state ?? undefined }
    return db.write(async () => {
      await this.#findEnabled(workspaceUuid, uuid)
      if (delivery !== undefined && (await deliveries.find(uuid, delivery)) === undefined)
        throw new AppError('not_found', { message: 'There is no such delivery' })
      const count = await deliveries.repeat(uuid, which, now(), REPEATED_AT_ONCE)
      db.afterCommit(wake)
      return { count, more: count === REPEATED_AT_ONCE }
    })
  }

  async #findEnabled(workspaceUuid: string, uuid: string): Promise<WebhookRow> {
    const row = await this.#find(workspaceUuid, uuid)
    if (row.enabled === 0) throw new AppError('webhook_disabled')
    return row
  }

  #find(workspaceUuid: string, uuid: string): Promise<WebhookRow> {
    return findOwned(this.#deps.webhooks.owned, workspaceUuid, uuid, 'webhook')
  }
}

const toTest = (pending: WebhookDeliveryRow, attempt: Attempt, sent: Exchange, endedAt: number): SentTest => {
  const { status, error, headers, response } = sent
  const row: WebhookDeliveryRow = {
    ...pending,
    state: error === null ? 'delivered' : 'failed',
    attempts: 1,
    due_at: null,
    status,
    error,
    last_attempt_at: attempt.atMs,
    ended_at: endedAt,
  }
  const request = { method: 'POST' as const, url: attempt.url, headers: { ...headers }, body: attempt.body }
  return {
    row,
    tested: {
      ...present(row),
      request,
      response:
        response === undefined
          ? null
          : {
              status: response.status,
              headers: Object.fromEntries(
                Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
              ),
              body: response.body.toString('utf8'),
              duration_ms: Math.max(0, Math.round(endedAt - attempt.atMs)),
            },
    },
  }
}

const present = (row: WebhookDeliveryRow): Delivery => ({
  uuid: row.uuid,
  type: row.type,
  state: row.state,
  attempts: row.attempts,
  status: row.status,
  error: row.error,
  created_at: isoTime(row.created_at),
  last_attempt_at: isoTimeOrNull(row.last_attempt_at),
  next_attempt_at: isoTimeOrNull(row.due_at),
})
