import { admission } from '../../net/admission/lanes.ts'
import type { DueDelivery } from './deliveries.store.ts'

type Receiving = Pick<DueDelivery, 'webhook_uuid' | 'workspace_uuid' | 'failing_since'>

/** How likely a receiver is to respond, which decides where its deliveries wait. */
type Standing = 'answering' | 'new' | 'failing'

const LANES = { answering: 'deliveries', new: 'newDeliveries', failing: 'failingDeliveries' } as const

/** Requests that one webhook may have under way. */
const PER_WEBHOOK: Readonly<Record<Standing, number>> = { answering: 8, new: 2, failing: 1 }

/** Receivers remembered; past that all are forgotten, and count as new until they respond again. */
const MOST_REMEMBERED = 10_000

/** Webhooks left out of one look at the outbox; far below the number of values that either engine takes. */
const MOST_BUSY = 5_000

/**
 * The places for deliveries under way. Receivers that answer have lanes of their own, so that those which hang, and
 * those of which nothing is known yet, never hold up the others; and each account has a share of every lane.
 */
export class DeliveryPlaces {
  readonly #used = new Map<string, number>()
  readonly #answered = new Set<string>()
  /** Webhooks for which there was no place, with what they waited for. */
  readonly #waiting = new Map<string, Receiving>()

  /** Takes a place if there is one, and returns how to give it back. */
  tryTake(receiving: Receiving): (() => void) | undefined {
    const { webhook_uuid, workspace_uuid } = receiving
    const leave = this.#hasRoom(receiving)
      ? admission.tryEnter(LANES[this.#standingOf(receiving)], { party: { account: workspace_uuid } })
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

  /** The webhooks for which there is no place at present; undefined when they are too many to look past. */
  busy(): string[] | undefined {
    for (const [uuid, receiving] of this.#waiting) if (this.#couldTake(receiving)) this.#waiting.delete(uuid)
    return this.#waiting.size < MOST_BUSY ? [...this.#waiting.keys()] : undefined
  }

  /** Remembers whether a receiver responded. */
  note(webhookUuid: string, answered: boolean): void {
    if (!answered) this.#answered.delete(webhookUuid)
    else {
      if (this.#answered.size >= MOST_REMEMBERED) this.#answered.clear()
      this.#answered.add(webhookUuid)
    }
  }

  #couldTake(receiving: Receiving): boolean {
    if (!this.#hasRoom(receiving)) return false
    const party = { account: receiving.workspace_uuid }
    const leave = admission.tryEnter(LANES[this.#standingOf(receiving)], { party })
    leave?.()
    return leave !== undefined
  }

  #hasRoom(receiving: Receiving): boolean {
    return (this.#used.get(receiving.webhook_uuid) ?? 0) < PER_WEBHOOK[this.#standingOf(receiving)]
  }

  #standingOf({ webhook_uuid, failing_since }: Receiving): Standing {
    if (failing_since !== null) return 'failing'
    return this.#answered.has(webhook_uuid) ? 'answering' : 'new'
  }
}
