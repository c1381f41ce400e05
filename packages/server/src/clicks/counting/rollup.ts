import { addTally } from './day-texts.ts'
import type { DayCounts, Dimension, HourTally, Tally } from './day-texts.ts'
import { dayOf, hourOf } from './enrich.ts'
import type { EnrichedClick } from './enrich.ts'
import { ALL_LINKS, scopeKey } from './scope-key.ts'
import { ValueCounts } from './value-counts.ts'
import { visitId } from './visit-id.ts'

/** A day of one link, page or user within a batch. */
export interface ScopeDay {
  readonly day: number
  readonly userKey: number
  readonly scopeKey: number
  /** In the order in which they came. */
  readonly clicks: EnrichedClick[]
}

const OF_A_VISIT = ['country', 'referrer', 'device', 'browser', 'system'] as const

/**
 * Sorts a batch by what it is counted for, so that the database changes one row per day of a link and not several per
 * click. Days come out in one order on every node, which is nearly that on disk. They are added up one by one when they
 * are written: a batch may be of thousands, and all at once would be many times the size of the clicks.
 */
export class Rollup {
  readonly #days = new Map<number, Map<number, ScopeDay>>()
  readonly #visits: number[] = []

  /** Only links count for the user as a whole: the visit of a page through its short link is one visit. */
  add(click: EnrichedClick, userId: string): void {
    const day = dayOf(click.atMs)
    const userKey = scopeKey(userId)
    this.#addTo(this.#scopeDay(day, userKey, scopeKey(click.subject)), click)
    if (click.kind === 'link') this.#addTo(this.#scopeDay(day, userKey, ALL_LINKS), click)
  }

  /** Numbers of the visits, each once; which of them are new to the day, the database says. */
  get visits(): number[] {
    const sorted = Float64Array.from(this.#visits).sort()
    return Array.from(sorted).filter((visit, at) => visit !== sorted[at - 1])
  }

  get days(): ScopeDay[] {
    return [...this.#days.values()]
      .flatMap((scopes) => [...scopes.values()])
      .sort((a, b) => a.userKey - b.userKey || a.scopeKey - b.scopeKey || a.day - b.day)
  }

  #addTo(scopeDay: ScopeDay, click: EnrichedClick): void {
    scopeDay.clicks.push(click)
    if (isVisit(click)) this.#visits.push(visitOf(scopeDay, click))
  }

  #scopeDay(day: number, userKey: number, scope: number): ScopeDay {
    let scopes = this.#days.get(day)
    if (scopes === undefined) this.#days.set(day, (scopes = new Map()))
    const key = scope === ALL_LINKS ? userKey : scope
    let found = scopes.get(key)
    if (found === undefined) {
      found = { day, userKey, scopeKey: scope, clicks: [] }
      scopes.set(key, found)
    }
    return found
  }
}

/** What the clicks of a day add up to. A visit that is new is counted where it came first, and no longer new then. */
export function countsOf(scopeDay: ScopeDay, newVisits: Set<number>): DayCounts {
  const hours: HourTally[] = []
  const values: Partial<Record<Dimension, ValueCounts>> = {}
  const count = (dimension: Dimension, value: string): void => {
    const counts = (values[dimension] ??= new ValueCounts())
    counts.add(value)
  }
  for (const click of scopeDay.clicks) {
    if (click.kind === 'button' || click.kind === 'icon') {
      if (!click.bot) count(click.kind, click.detail)
      continue
    }
    const hour = hourIn(hours, hourOf(click.atMs))
    if (click.bot) {
      hour.bots++
      continue
    }
    hour.clicks++
    if (newVisits.delete(visitOf(scopeDay, click))) hour.uniques++
    for (const dimension of OF_A_VISIT) count(dimension, click[dimension])
  }
  return { day: scopeDay.day, hours, values }
}

export function tallyOf({ hours }: DayCounts): Tally {
  const sum = { clicks: 0, uniques: 0, bots: 0 }
  for (const hour of hours) addTally(sum, hour)
  return sum
}

function isVisit({ kind, bot }: EnrichedClick): boolean {
  return !bot && (kind === 'link' || kind === 'page')
}

function visitOf({ day, userKey, scopeKey }: ScopeDay, { visitor }: EnrichedClick): number {
  return visitId(day, scopeKey === ALL_LINKS ? userKey : scopeKey, visitor)
}

/** There are at most 24, and nearly always one: looking through them beats a map. */
function hourIn(hours: HourTally[], at: number): HourTally {
  const known = hours.find((hour) => hour.at === at)
  if (known !== undefined) return known
  const made = { at, clicks: 0, uniques: 0, bots: 0 }
  hours.push(made)
  return made
}
