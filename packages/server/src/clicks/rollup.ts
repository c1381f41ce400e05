import type { ClickSeries } from '../platform/db/tables.ts'
import { dayOf, hourOf } from './enrich.ts'
import type { EnrichedClick } from './enrich.ts'
import { ALL_LINKS, scopeKey } from './scope-key.ts'
import { ValueCounts } from './value-counts.ts'
import type { ValueLimiter } from './value-limiter.ts'

/** One row to be added to what the database has. */
export interface Count {
  readonly userKey: number
  readonly scopeKey: number
  readonly series: ClickSeries
  readonly at: number
  readonly value: string
  readonly clicks: number
  readonly uniques: number
  readonly bots: number
}

/** Who came in an hour for the first time in this batch; whether the day knew them already, the database says. */
export interface Visits {
  readonly day: number
  readonly hour: number
  /** A link or page, or a user for all of their links. */
  readonly visitedKey: number
  readonly visitors: readonly number[]
}

const DIMENSIONS = ['country', 'referrer', 'device', 'browser', 'system'] as const
export type Dimension = (typeof DIMENSIONS)[number] | 'button' | 'icon'

/** In the order of the key. */
const ALL_SERIES: readonly ClickSeries[] = [
  'browser',
  'button',
  'country',
  'day',
  'device',
  'hour',
  'icon',
  'referrer',
  'system',
]

interface Tally {
  clicks: number
  uniques: number
  bots: number
}

/** A day of one link, page or user within a batch; a batch may touch thousands of them once each. */
interface ScopeDay {
  readonly day: number
  readonly userKey: number
  readonly scopeKey: number
  readonly visitedKey: number
  readonly hours: (Tally & { readonly at: number })[]
  readonly values: Partial<Record<Dimension, ValueCounts>>
  /** Visitor → hour of their first click in the batch. */
  readonly visitors: Map<number, number>
}

/**
 * Counts a batch in memory, so that the database changes one row per hour, day and value and not one per click.
 * Rows come out in one order on every node, which is nearly that on disk.
 */
export class Rollup {
  readonly #days = new Map<number, Map<number, ScopeDay>>()
  readonly #limiter: ValueLimiter

  constructor(limiter: ValueLimiter) {
    this.#limiter = limiter
  }

  /** Only links count for the user as a whole: the visit of a page through its short link is one visit. */
  add(click: EnrichedClick, userId: string): void {
    const day = dayOf(click.atMs)
    const userKey = scopeKey(userId)
    const own = this.#scopeDay(day, userKey, scopeKey(click.subject))
    if (click.kind === 'button' || click.kind === 'icon') {
      if (!click.bot) this.#value(own, click.kind, click.detail)
      return
    }
    this.#addTo(own, click)
    if (click.kind === 'link') this.#addTo(this.#scopeDay(day, userKey, ALL_LINKS), click)
  }

  get visits(): Visits[] {
    return this.#all()
      .sort((a, b) => a.day - b.day || a.visitedKey - b.visitedKey)
      .flatMap(visitsOf)
  }

  /** How many of the visitors were new to the day. */
  addUniques({ day, hour, visitedKey }: Visits, uniques: number): void {
    const scopeDay = this.#days.get(day)?.get(visitedKey)
    if (scopeDay !== undefined) hourOfDay(scopeDay, hour).uniques += uniques
  }

  get counts(): Count[] {
    const inOrder = this.#all().sort(
      (a, b) => a.userKey - b.userKey || a.scopeKey - b.scopeKey || a.day - b.day,
    )
    return inOrder.flatMap((scopeDay) => ALL_SERIES.flatMap((series) => countsOf(scopeDay, series)))
  }

  #all(): ScopeDay[] {
    return [...this.#days.values()].flatMap((scopes) => [...scopes.values()])
  }

  #addTo(scopeDay: ScopeDay, click: EnrichedClick): void {
    const at = hourOf(click.atMs)
    const hour = hourOfDay(scopeDay, at)
    if (click.bot) {
      hour.bots++
      return
    }
    hour.clicks++
    for (const dimension of DIMENSIONS) this.#value(scopeDay, dimension, click[dimension])
    if (!scopeDay.visitors.has(click.visitor)) scopeDay.visitors.set(click.visitor, at)
  }

  #value({ day, visitedKey, values }: ScopeDay, dimension: Dimension, sent: string): void {
    const counts = (values[dimension] ??= new ValueCounts())
    if (counts.has(sent)) counts.add(sent)
    else counts.add(this.#limiter.admit(`${visitedKey} ${day}`, dimension, sent))
  }

  #scopeDay(day: number, userKey: number, scope: number): ScopeDay {
    let scopes = this.#days.get(day)
    if (scopes === undefined) this.#days.set(day, (scopes = new Map()))
    const visitedKey = scope === ALL_LINKS ? userKey : scope
    let found = scopes.get(visitedKey)
    if (found === undefined) {
      found = { day, userKey, scopeKey: scope, visitedKey, hours: [], values: {}, visitors: new Map() }
      scopes.set(visitedKey, found)
    }
    return found
  }
}

function visitsOf({ day, visitedKey, hours, visitors }: ScopeDay): Visits[] {
  if (visitors.size === 0) return []
  return hours
    .map(({ at }) => ({
      day,
      visitedKey,
      hour: at,
      visitors: [...visitors]
        .filter(([, hour]) => hour === at)
        .map(([visitor]) => visitor)
        .sort((a, b) => a - b),
    }))
    .filter((visits) => visits.visitors.length > 0)
}

function countsOf({ userKey, scopeKey, day, hours, values }: ScopeDay, series: ClickSeries): Count[] {
  if (series === 'hour') {
    return hours
      .sort((a, b) => a.at - b.at)
      .map((hour) => ({ userKey, scopeKey, series, value: '', ...hour }))
  }
  if (series === 'day') {
    return hours.length === 0 ? [] : [{ userKey, scopeKey, series, at: day, value: '', ...sumOf(hours) }]
  }
  const entries = values[series]?.entries ?? []
  const rest = { uniques: 0, bots: 0 }
  return entries.map(([value, clicks]) => ({ userKey, scopeKey, series, at: day, value, clicks, ...rest }))
}

function sumOf(hours: readonly Tally[]): Tally {
  const sum = { clicks: 0, uniques: 0, bots: 0 }
  for (const { clicks, uniques, bots } of hours) {
    sum.clicks += clicks
    sum.uniques += uniques
    sum.bots += bots
  }
  return sum
}

/** There are at most 24, and nearly always one: looking through them beats a map. */
function hourOfDay({ hours }: ScopeDay, at: number): Tally {
  const known = hours.find((hour) => hour.at === at)
  if (known !== undefined) return known
  const made = { at, clicks: 0, uniques: 0, bots: 0 }
  hours.push(made)
  return made
}
