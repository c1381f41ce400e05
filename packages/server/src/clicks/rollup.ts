import { addTally } from './day-texts.ts'
import type { DayCounts, Dimension, HourTally, Tally } from './day-texts.ts'
import { dayOf, hourOf } from './enrich.ts'
import type { EnrichedClick } from './enrich.ts'
import { ALL_LINKS, scopeKey } from './scope-key.ts'
import { ValueCounts } from './value-counts.ts'
import { visitId } from './visit-id.ts'

/** A day of one link, page or user within a batch; a batch may touch thousands of them once each. */
export interface ScopeDay extends DayCounts {
  readonly userKey: number
  readonly scopeKey: number
  readonly hours: HourTally[]
  readonly values: Partial<Record<Dimension, ValueCounts>>
}

const OF_A_VISIT = ['country', 'referrer', 'device', 'browser', 'system'] as const

/**
 * Counts a batch in memory, so that the database changes one row per day of a link and not several per click. Rows
 * come out in one order on every node, which is nearly that on disk.
 */
export class Rollup {
  readonly #days = new Map<number, Map<number, ScopeDay>>()
  /** The hour in which the batch saw a visit for the first time. */
  readonly #firstSeen = new Map<number, HourTally>()

  /** Only links count for the user as a whole: the visit of a page through its short link is one visit. */
  add(click: EnrichedClick, userId: string): void {
    const day = dayOf(click.atMs)
    const userKey = scopeKey(userId)
    const ownKey = scopeKey(click.subject)
    const own = this.#scopeDay(day, userKey, ownKey)
    if (click.kind === 'button' || click.kind === 'icon') {
      if (!click.bot) countValue(own, click.kind, click.detail)
      return
    }
    this.#addTo(own, click, ownKey)
    if (click.kind === 'link') this.#addTo(this.#scopeDay(day, userKey, ALL_LINKS), click, userKey)
  }

  /** Numbers of the visits; which of them are new to the day, the database says. */
  get visits(): number[] {
    return [...Float64Array.from(this.#firstSeen.keys()).sort()]
  }

  addUnique(visit: number): void {
    const hour = this.#firstSeen.get(visit)
    if (hour !== undefined) hour.uniques++
  }

  get days(): ScopeDay[] {
    return [...this.#days.values()]
      .flatMap((scopes) => [...scopes.values()])
      .sort((a, b) => a.userKey - b.userKey || a.scopeKey - b.scopeKey || a.day - b.day)
  }

  #addTo(scopeDay: ScopeDay, click: EnrichedClick, visitedKey: number): void {
    const hour = hourOfDay(scopeDay, hourOf(click.atMs))
    if (click.bot) {
      hour.bots++
      return
    }
    hour.clicks++
    for (const dimension of OF_A_VISIT) countValue(scopeDay, dimension, click[dimension])
    const visit = visitId(scopeDay.day, visitedKey, click.visitor)
    if (!this.#firstSeen.has(visit)) this.#firstSeen.set(visit, hour)
  }

  #scopeDay(day: number, userKey: number, scope: number): ScopeDay {
    let scopes = this.#days.get(day)
    if (scopes === undefined) this.#days.set(day, (scopes = new Map()))
    const key = scope === ALL_LINKS ? userKey : scope
    let found = scopes.get(key)
    if (found === undefined) {
      found = { day, userKey, scopeKey: scope, hours: [], values: {} }
      scopes.set(key, found)
    }
    return found
  }
}

export function tallyOf({ hours }: ScopeDay): Tally {
  const sum = { clicks: 0, uniques: 0, bots: 0 }
  for (const hour of hours) addTally(sum, hour)
  return sum
}

function countValue({ values }: ScopeDay, dimension: Dimension, value: string): void {
  const counts = (values[dimension] ??= new ValueCounts())
  counts.add(value)
}

/** There are at most 24, and nearly always one: looking through them beats a map. */
function hourOfDay({ hours }: ScopeDay, at: number): HourTally {
  const known = hours.find((hour) => hour.at === at)
  if (known !== undefined) return known
  const made = { at, clicks: 0, uniques: 0, bots: 0 }
  hours.push(made)
  return made
}
