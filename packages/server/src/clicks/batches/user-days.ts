import type { EnrichedClick } from '../counting/enrich.ts'
import { scopeKey } from '../counting/scope-key.ts'
import { visitId } from '../counting/visit-id.ts'
import { flagsOf, packBatch } from './batch.ts'
import { dayOf } from '../../runtime/times.ts'

/** Clicks of one user on one day within a batch, in the order in which they came. */
export interface UserDay {
  readonly userKey: number
  readonly day: number
  readonly clicks: EnrichedClick[]
  /** Numbers of the visits of the link or page, and of the user's links together; 0: it counts as no visit. */
  readonly subjectVisits: number[]
  readonly userVisits: number[]
}

/** Whom a subject belongs to, and whether its clicks are scans: the short link of a code. */
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
  readonly #days = new Map<string, UserDay>()
  readonly #keys = new Map<string, number>()
  #last: { readonly userUuid: string; readonly userDay: UserDay } | undefined

  add(click: EnrichedClick, { userUuid, ofCode }: Pick<Owner, 'userUuid' | 'ofCode'>): void {
    const day = dayOf(click.atMs)
    const userDay = this.#userDay(userUuid, day)
    const isVisit = !click.bot && (click.kind === 'link' || click.kind === 'page')
    userDay.clicks.push(ofCode && !click.scanned ? { ...click, scanned: true } : click)
    userDay.subjectVisits.push(isVisit ? visitId(day, this.#keyOf(click.subject), click.visitor) : 0)
    // Only links count for the user as a whole: the visit of a page through its short link is one visit.
    userDay.userVisits.push(
      isVisit && click.kind === 'link' ? visitId(day, userDay.userKey, click.visitor) : 0,
    )
  }

  /** In one order on every node. */
  get all(): UserDay[] {
    return [...this.#days.values()].sort((a, b) => a.userKey - b.userKey || a.day - b.day)
  }

  /** Numbers of all visits, each once; which of them are new to the day, the database says. */
  get visits(): number[] {
    const numbers = [...this.#days.values()].flatMap(({ subjectVisits, userVisits }) => [
      ...subjectVisits,
      ...userVisits,
    ])
    const sorted = Float64Array.from(numbers).sort()
    return Array.from(sorted).filter((visit, at) => visit !== 0 && visit !== sorted[at - 1])
  }

  #userDay(userUuid: string, day: number): UserDay {
    if (this.#last?.userUuid === userUuid && this.#last.userDay.day === day) return this.#last.userDay
    const name = `${userUuid} ${day}`
    let found = this.#days.get(name)
    if (found === undefined) {
      found = { userKey: this.#keyOf(userUuid), day, clicks: [], subjectVisits: [], userVisits: [] }
      this.#days.set(name, found)
    }
    this.#last = { userUuid, userDay: found }
    return found
  }

  #keyOf(uuid: string): number {
    let key = this.#keys.get(uuid)
    if (key === undefined) this.#keys.set(uuid, (key = scopeKey(uuid)))
    return key
  }
}

/** Packs the clicks. A visit that is new is counted where it came first, and no longer new then. */
export function packUserDay(
  { clicks, day, subjectVisits, userVisits }: UserDay,
  newVisits: Set<number>,
): Buffer {
  return packBatch(clicks, day, (at) => {
    const { kind, bot, scanned } = clicks[at]!
    return flagsOf({
      kind,
      bot,
      scanned,
      firstOfSubject: newVisits.delete(subjectVisits[at] ?? 0),
      firstOfUser: newVisits.delete(userVisits[at] ?? 0),
    })
  })
}
