import type { EnrichedClick } from '../counting/enrich.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { visitId } from '../counting/visit-id.ts'
import { flagsOf, packBatch } from './batch.ts'
import { FIRST_OF_RESOURCE, FIRST_OF_USER } from './kept-click.ts'
import { VisitNumbers } from './visit-numbers.ts'
import { dayOf } from '../../work/times.ts'
import type { Pause } from '../../work/v8/counting-pauses.ts'

/** Clicks of one user on one day within a batch, in the order in which they came. */
export interface UserDay {
  readonly userKey: number
  readonly day: number
  readonly clicks: EnrichedClick[]
  /** The visits of the link or page, and of the user's links together, as `UserDays.visits` numbers them. */
  readonly resourceVisits: number[]
  readonly userVisits: number[]
}

/** Whom a link or page belongs to, and whether its clicks are scans: the short link of a code. */
export interface Owner {
  readonly userUuid: string
  readonly ofCode: boolean
  /** '' is the default domain. */
  readonly domain: string
  /** The short code of a link, the slug of a page. */
  readonly name: string
}

/** Sorts what was read from the spool by user and day: each becomes one row. */
export class UserDays {
  /** Which of them are new to the day, the database says. */
  readonly visits = new VisitNumbers()
  readonly #days = new Map<string, UserDay>()
  readonly #keys = new Map<string, number>()
  #last: { readonly userUuid: string; readonly userDay: UserDay } | undefined

  add(click: EnrichedClick, { userUuid, ofCode }: Pick<Owner, 'userUuid' | 'ofCode'>): void {
    const day = dayOf(click.atMs)
    const userDay = this.#userDay(userUuid, day)
    const isVisit = !click.bot && (click.kind === 'link' || click.kind === 'page')
    userDay.clicks.push(ofCode && !click.scanned ? { ...click, scanned: true } : click)
    userDay.resourceVisits.push(isVisit ? this.#visitOf(day, this.#keyOf(click.resourceUuid), click) : 0)
    // Only links count for the user as a whole: the visit of a page through its short link is one visit.
    userDay.userVisits.push(isVisit && click.kind === 'link' ? this.#visitOf(day, userDay.userKey, click) : 0)
  }

  /** In one order on every node. */
  get all(): UserDay[] {
    return [...this.#days.values()].sort((a, b) => a.userKey - b.userKey || a.day - b.day)
  }

  #userDay(userUuid: string, day: number): UserDay {
    if (this.#last?.userUuid === userUuid && this.#last.userDay.day === day) return this.#last.userDay
    const name = `${userUuid} ${day}`
    let found = this.#days.get(name)
    if (found === undefined) {
      found = { userKey: this.#keyOf(userUuid), day, clicks: [], resourceVisits: [], userVisits: [] }
      this.#days.set(name, found)
    }
    this.#last = { userUuid, userDay: found }
    return found
  }

  #visitOf(day: number, key: number, { visitor }: EnrichedClick): number {
    return this.visits.numberOf(visitId(day, key, visitor))
  }

  #keyOf(uuid: string): number {
    let key = this.#keys.get(uuid)
    if (key === undefined) this.#keys.set(uuid, (key = scopeKey(uuid)))
    return key
  }
}

/** Packs the clicks; which of them are first visits is noted afterwards. */
export function packUserDay({ clicks, day }: UserDay, pause?: Pause): Buffer {
  return packBatch(clicks, day, (at) => flagsOf(clicks[at]!), pause)
}

/** Notes in the packed clicks which were first visits: a visit that is new counts where it came first. */
export function noteFirstVisits(
  packed: Buffer,
  { clicks, resourceVisits, userVisits }: UserDay,
  visits: VisitNumbers,
): void {
  const flags = packed.length - clicks.length
  for (let at = 0; at < clicks.length; at++) {
    if (visits.takeNew(resourceVisits[at]!)) packed[flags + at]! |= FIRST_OF_RESOURCE
    if (visits.takeNew(userVisits[at]!)) packed[flags + at]! |= FIRST_OF_USER
  }
}
