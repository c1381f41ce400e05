import type { ClickSeries } from '../platform/db/tables.ts'
import { dayOf, hourOf } from './enrich.ts'
import type { EnrichedClick } from './enrich.ts'
import type { ValueLimiter } from './value-limiter.ts'

/** One row to be added to what the database has. `scope`: a link or page; empty: all links of the user. */
export interface Count {
  readonly user: string
  readonly scope: string
  readonly series: ClickSeries
  readonly at: number
  readonly value: string
  readonly clicks: number
  readonly uniques: number
  readonly bots: number
}

/** Somebody on a day; `hour` is where they count if they turn out to be new. */
export interface Visit {
  readonly day: number
  readonly user: string
  readonly scope: string
  readonly visitor: number
  readonly hour: number
}

/** Visits are kept by link or page, or by user. */
export function visitScope({ user, scope }: Pick<Visit, 'user' | 'scope'>): string {
  return scope === ALL_LINKS ? user : scope
}

const DIMENSIONS = ['country', 'referrer', 'device', 'browser', 'system'] as const
export type Dimension = (typeof DIMENSIONS)[number] | 'button' | 'icon'

const ALL_DIMENSIONS: readonly Dimension[] = [
  'browser',
  'button',
  'country',
  'device',
  'icon',
  'referrer',
  'system',
]
/** The scope of a user's links together. */
export const ALL_LINKS = ''
interface Tally {
  clicks: number
  uniques: number
  bots: number
}

/** A day of one link, page or user within a batch. */
interface ScopeDay {
  readonly user: string
  readonly scope: string
  readonly day: number
  readonly total: Tally
  readonly hours: Map<number, Tally>
  readonly values: Record<Dimension, Map<string, number>>
  /** Visitor → hour of their first click in the batch. */
  readonly visitors: Map<number, number>
}

/**
 * Counts a batch in memory, so that the database changes one row per hour, day and value and not one per click.
 * Rows come out in the order of their keys, which is how they lie on disk.
 */
export class Rollup {
  readonly #scopes = new Map<string, ScopeDay>()
  readonly #limiter: ValueLimiter

  constructor(limiter: ValueLimiter) {
    this.#limiter = limiter
  }

  /** Only links count for the user as a whole: the visit of a page through its short link is one visit. */
  add(click: EnrichedClick, user: string): void {
    const day = dayOf(click.atMs)
    const own = this.#scopeDay(user, click.subject, day)
    if (click.kind === 'button' || click.kind === 'icon') {
      if (!click.bot) this.#value(own, click.kind, click.detail)
      return
    }
    this.#addTo(own, click)
    if (click.kind === 'link') this.#addTo(this.#scopeDay(user, ALL_LINKS, day), click)
  }

  get visits(): Visit[] {
    const inOrder = [...this.#scopes.values()].sort((a, b) => a.day - b.day || byScope(a, b))
    return inOrder.flatMap(({ day, user, scope, visitors }) =>
      [...visitors].sort(([a], [b]) => a - b).map(([visitor, hour]) => ({ day, user, scope, visitor, hour })),
    )
  }

  /** Visitors of which the day knew nothing before. */
  addUniques(visits: readonly Visit[]): void {
    for (const { day, user, scope, hour } of visits) {
      const scopeDay = this.#scopeDay(user, scope, day)
      scopeDay.total.uniques++
      getOrAdd(scopeDay.hours, hour, emptyTally).uniques++
    }
  }

  get counts(): Count[] {
    const counts: Count[] = []
    for (const scopeDay of this.#scopes.values()) pushCounts(counts, scopeDay)
    return counts.sort(byKey)
  }

  #addTo(scopeDay: ScopeDay, click: EnrichedClick): void {
    const hour = hourOf(click.atMs)
    const tally = getOrAdd(scopeDay.hours, hour, emptyTally)
    if (click.bot) {
      scopeDay.total.bots++
      tally.bots++
      return
    }
    scopeDay.total.clicks++
    tally.clicks++
    for (const dimension of DIMENSIONS) this.#value(scopeDay, dimension, click[dimension])
    if (!scopeDay.visitors.has(click.visitor)) scopeDay.visitors.set(click.visitor, hour)
  }

  #value(scopeDay: ScopeDay, dimension: Dimension, sent: string): void {
    const counts = scopeDay.values[dimension]
    const known = counts.get(sent)
    if (known !== undefined) {
      counts.set(sent, known + 1)
      return
    }
    const value = this.#limiter.admit(`${visitScope(scopeDay)} ${scopeDay.day}`, dimension, sent)
    counts.set(value, (counts.get(value) ?? 0) + 1)
  }

  #scopeDay(user: string, scope: string, day: number): ScopeDay {
    const key = `${scope === ALL_LINKS ? user : scope} ${day}`
    return getOrAdd(this.#scopes, key, () => emptyScopeDay(user, scope, day))
  }
}

function pushCounts(counts: Count[], { user, scope, day, total, hours, values }: ScopeDay): void {
  const none = { uniques: 0, bots: 0 }
  if (hours.size > 0) counts.push({ user, scope, series: 'day', at: day, value: '', ...total })
  for (const [at, tally] of hours) counts.push({ user, scope, series: 'hour', at, value: '', ...tally })
  for (const series of ALL_DIMENSIONS) {
    for (const [value, clicks] of values[series]) {
      counts.push({ user, scope, series, at: day, value, clicks, ...none })
    }
  }
}

function emptyTally(): Tally {
  return { clicks: 0, uniques: 0, bots: 0 }
}

function emptyScopeDay(user: string, scope: string, day: number): ScopeDay {
  const values = {
    country: new Map<string, number>(),
    referrer: new Map<string, number>(),
    device: new Map<string, number>(),
    browser: new Map<string, number>(),
    system: new Map<string, number>(),
    button: new Map<string, number>(),
    icon: new Map<string, number>(),
  }
  return { user, scope, day, total: emptyTally(), hours: new Map(), values, visitors: new Map() }
}

function getOrAdd<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make()
  map.set(key, made)
  return made
}

/** By code units, as the database compares by bytes: the keys are ASCII. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function byScope(a: ScopeDay, b: ScopeDay): number {
  return compare(visitScope(a), visitScope(b))
}

function byKey(a: Count, b: Count): number {
  return (
    compare(a.user, b.user) ||
    compare(a.scope, b.scope) ||
    compare(a.series, b.series) ||
    a.at - b.at ||
    compare(a.value, b.value)
  )
}
