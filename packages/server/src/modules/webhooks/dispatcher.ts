import { TEST_EVENT } from '@waymark/contract'
import { admission } from '../../net/admission/lanes.ts'
import {
  type Attempt,
  FAILING_LIMIT_MS,
  type Outcome,
  retryDelayMs,
  TIMEOUT_MS,
} from '../../net/deliveries/sender.ts'
import type { Database } from '../../storage/db/database.ts'
import type { Secrets } from '../../storage/secrets.ts'
import { DAY_MS } from '../../work/times.ts'
import type { RecordOwn } from '../module.ts'
import type { DeliveryStore, DueDelivery } from './deliveries.store.ts'
import { secretsOf } from './signing-secrets.ts'
import type { WebhookStore } from './webhooks.store.ts'

export interface DispatcherOptions {
  readonly db: Database
  readonly webhooks: WebhookStore
  readonly deliveries: DeliveryStore
  readonly secrets: Secrets
  readonly allowPrivate: boolean
  /** Whether there can be anything to send. */
  readonly isNeeded: () => boolean
  readonly report: (error: unknown) => void
  /** Stores an audit log entry when a webhook is disabled. */
  readonly record: RecordOwn
  readonly now: () => number
  readonly send?: (attempt: Attempt) => Promise<Outcome>
}

/** A delivery that this process has taken; `due_at` is when others may take it. */
type Taken = Wanted & { readonly leave: () => void }
type Wanted = DueDelivery & { readonly url: string; readonly secret_sealed: string }

const POLL_MS = 1_000
/** Rarely, if there are no webhooks: only leftovers are deleted. */
const IDLE_POLL_MS = 60_000
/** Longer than an attempt, plus clock differences: after that its sender has died, and another process may take it. */
const TAKEN_FOR_MS = 20_000
/** Number of deliveries read at once, of which perhaps only a few can be taken. */
const LOOKED_AT = 16
/** How long deliveries in progress may continue when the process stops. */
const CLOSE_MS = 2_000

const GONE = 'The receiver returned 410 Gone'
const DEAD = `Nothing could be delivered for ${FAILING_LIMIT_MS / DAY_MS} days`

/** Loaded with the first delivery, to save memory. */
const sendLazily = async (attempt: Attempt): Promise<Outcome> =>
  (await import('../../net/deliveries/sender.ts')).send(attempt)

/**
 * Sends the deliveries in the outbox. All processes do; a delivery is taken in the database before it is sent, so that one
 * process sends it at a time, and a delivery of a killed process becomes due again by itself.
 */
export class Dispatcher {
  readonly counts = { delivered: 0, failures: 0 }
  readonly #options: DispatcherOptions
  readonly #ending = new AbortController()
  readonly #underWay = new Set<Promise<void>>()
  readonly #places = new DeliveryPlaces()
  #filling: Promise<void> | undefined
  #again = false
  /** Commands leave sending to the servers. */
  #isOpen = false
  #isAway = false
  #timer: NodeJS.Timeout | undefined
  #polledAt = Number.NEGATIVE_INFINITY

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  start(): void {
    this.#isOpen = true
    const poll = (): void => {
      const isDue = performance.now() - this.#polledAt >= IDLE_POLL_MS
      if (isDue || this.#options.isNeeded()) this.wake()
    }
    this.#timer = setInterval(poll, POLL_MS)
    this.#timer.unref()
    poll()
  }

  /** Polls for due deliveries; soon, and never twice at once. */
  wake(): void {
    if (!this.#isOpen) return
    this.#polledAt = performance.now()
    if (this.#filling !== undefined) {
      this.#again = true
      return
    }
    this.#again = false
    this.#filling = this.#fill()
      .then(() => {
        this.#isAway = false
      }, this.#reportOnce)
      .finally(() => {
        this.#filling = undefined
        if (this.#again) this.wake()
      })
  }

  /** Resolves when no delivery is in progress. */
  async settled(): Promise<void> {
    while (this.#filling !== undefined || this.#underWay.size > 0)
      await Promise.all([this.#filling, ...this.#underWay])
  }

  /** Lets deliveries in progress end; those that take too long are released for the next process. */
  async close(): Promise<void> {
    this.#isOpen = false
    clearInterval(this.#timer)
    const timer = setTimeout(() => this.#ending.abort(), CLOSE_MS)
    await this.settled()
    clearTimeout(timer)
  }

  /** Once per outage of the database, because this runs every second. */
  readonly #reportOnce = (error: unknown): void => {
    if (!this.#isAway) this.#options.report(error)
    this.#isAway = true
  }

  async #fill(): Promise<void> {
    const { deliveries, now } = this.#options
    for (;;) {
      const busy = this.#places.busy()
      if (busy === undefined || !this.#isOpen) return
      const due = await deliveries.listDue(now(), busy, LOOKED_AT)
      if (due.length === 0) return
      for (const taken of await this.#take(due)) this.#begin(taken)
    }
  }

  /** Takes deliveries that can be sent now. The rest waits; deliveries of deleted webhooks end. */
  async #take(due: readonly DueDelivery[]): Promise<Taken[]> {
    const taken: Taken[] = []
    try {
      await this.#options.db.write(async () => {
        for (const delivery of due)
          if (isWanted(delivery)) await this.#takeOne(delivery, taken)
          else await this.#drop(delivery)
      })
      return taken
    } catch (error) {
      for (const { leave } of taken) leave()
      throw error
    }
  }

  async #takeOne(delivery: Wanted, taken: Taken[]): Promise<void> {
    const { deliveries, now } = this.#options
    const leave = this.#places.tryTake(delivery)
    if (leave === undefined) return
    const at = now()
    const [due_at, attempts] = [at + TAKEN_FOR_MS, delivery.attempts + 1]
    const taking = { ...delivery, due_at, attempts, leave }
    taken.push(taking)
    if (await deliveries.update(delivery, { due_at, attempts, last_attempt_at: at })) return
    taken.splice(taken.indexOf(taking), 1)
    leave()
  }

  async #drop(delivery: DueDelivery): Promise<void> {
    const { deliveries, now } = this.#options
    if (delivery.url === null) return deliveries.remove(delivery.uuid)
    const error = 'The webhook was disabled'
    await deliveries.update(delivery, { state: 'failed', due_at: null, ended_at: now(), error })
  }

  #begin(delivery: Taken): void {
    const work = this.#deliver(delivery)
      .catch(this.#options.report)
      .finally(() => {
        this.#underWay.delete(work)
        delivery.leave()
        this.wake()
      })
    this.#underWay.add(work)
  }

  async #deliver(delivery: Taken): Promise<void> {
    const { db, deliveries, now } = this.#options
    const outcome = await this.#attempt(delivery)
    if (outcome !== undefined) {
      this.counts[outcome.error === null ? 'delivered' : 'failures']++
      this.#places.note(delivery.webhook_uuid, outcome.error === null)
    }
    await db.write(async () => {
      if (outcome !== undefined) return this.#settle(delivery, outcome)
      await deliveries.update(delivery, { due_at: now(), attempts: delivery.attempts - 1 })
    })
  }

  /** Undefined: it was aborted because this process stops, and does not count as an attempt. */
  async #attempt(delivery: Taken): Promise<Outcome | undefined> {
    const { uuid, url, body } = delivery
    const { secrets, allowPrivate, now, report, send = sendLazily } = this.#options
    const { signal } = this.#ending
    try {
      const signing = secretsOf(secrets, { ...delivery, uuid: delivery.webhook_uuid }, now())
      const timing = { atMs: now(), timeoutMs: TIMEOUT_MS, signal }
      return await send({ url, id: uuid, body, ...signing, allowPrivate, ...timing })
    } catch (error) {
      if (signal.aborted) return undefined
      report(error)
      return { status: null, error: 'The event could not be sent; the log of the server has the cause' }
    }
  }

  async #settle(delivery: Taken, { status, error }: Outcome): Promise<void> {
    const { deliveries, webhooks, record, now } = this.#options
    const at = now()
    const { webhook_uuid, workspace_uuid, type, attempts } = delivery
    if (error === null) {
      await deliveries.update(delivery, { state: 'delivered', due_at: null, ended_at: at, status, error })
      return webhooks.markWorking(webhook_uuid)
    }
    const delay = retryDelayMs(type, attempts)
    const isOver = delay === undefined
    const end = isOver ? ({ state: 'failed', due_at: null, ended_at: at } as const) : { due_at: at + delay }
    if (!(await deliveries.update(delivery, { ...end, status, error })) || type === TEST_EVENT) return
    await webhooks.markFailing(webhook_uuid, at)
    if (status !== 410 && !isOver) return
    const [reason, since] = status === 410 ? [GONE, at] : [DEAD, at - FAILING_LIMIT_MS]
    if (await webhooks.disable(webhook_uuid, reason, at, since))
      await record(workspace_uuid, 'disableWebhook', [webhook_uuid])
  }
}

const isWanted = (delivery: DueDelivery): delivery is Wanted => delivery.enabled === 1

type Receiving = Pick<DueDelivery, 'webhook_uuid' | 'workspace_uuid' | 'failing_since'>

/** How likely a receiver is to respond, which decides the lane of its deliveries. */
type ReceiverState = 'responding' | 'new' | 'failing'

const LANES = { responding: 'deliveries', new: 'newDeliveries', failing: 'failingDeliveries' } as const

/** Number of concurrent requests to one webhook. */
const PER_WEBHOOK: Readonly<Record<ReceiverState, number>> = { responding: 8, new: 2, failing: 1 }

/** Number of remembered receivers; above it all are forgotten, and count as new until they respond again. */
const MAX_REMEMBERED = 10_000

/** Number of webhooks excluded from a poll; far below the number of values that either engine accepts. */
const MAX_BUSY = 5_000

/**
 * The slots for deliveries in progress. Receivers that respond have their own lanes, so that hanging and new ones never block
 * them; and each account has a share of every lane.
 */
class DeliveryPlaces {
  readonly #used = new Map<string, number>()
  readonly #answered = new Set<string>()
  /** Webhooks without a free slot, with their class. */
  readonly #waiting = new Map<string, Receiving>()

  /** Takes a slot if one is free, and returns a function that releases it. */
  tryTake(receiving: Receiving): (() => void) | undefined {
    const { webhook_uuid, workspace_uuid } = receiving
    const leave = this.#hasRoom(receiving)
      ? admission.tryEnter(LANES[this.#stateOf(receiving)], { requester: { account: workspace_uuid } })
      : undefined
    if (leave === undefined) {
      this.#waiting.set(webhook_uuid, receiving)
      return undefined
    }
    this.#used.set(webhook_uuid, (this.#used.get(webhook_uuid) ?? 0) + 1)
    return () => {
      leave()
      const left = (this.#used.get(webhook_uuid) ?? 1) - 1
      if (left === 0) this.#used.delete(webhook_uuid)
      else this.#used.set(webhook_uuid, left)
    }
  }

  /** The webhooks without a free slot; undefined if they are too many to exclude. */
  busy(): string[] | undefined {
    for (const [uuid, receiving] of this.#waiting) if (this.#couldTake(receiving)) this.#waiting.delete(uuid)
    return this.#waiting.size < MAX_BUSY ? [...this.#waiting.keys()] : undefined
  }

  /** Records whether a receiver responded. */
  note(webhookUuid: string, answered: boolean): void {
    if (!answered) this.#answered.delete(webhookUuid)
    else {
      if (this.#answered.size >= MAX_REMEMBERED) this.#answered.clear()
      this.#answered.add(webhookUuid)
    }
  }

  #couldTake(receiving: Receiving): boolean {
    if (!this.#hasRoom(receiving)) return false
    const requester = { account: receiving.workspace_uuid }
    const leave = admission.tryEnter(LANES[this.#stateOf(receiving)], { requester })
    leave?.()
    return leave !== undefined
  }

  #hasRoom(receiving: Receiving): boolean {
    return (this.#used.get(receiving.webhook_uuid) ?? 0) < PER_WEBHOOK[this.#stateOf(receiving)]
  }

  #stateOf({ webhook_uuid, failing_since }: Receiving): ReceiverState {
    if (failing_since !== null) return 'failing'
    return this.#answered.has(webhook_uuid) ? 'responding' : 'new'
  }
}
