import { LRUCache } from 'lru-cache'
import type { ClickDimensionRow } from '../platform/db/tables.ts'
import { dayOf, hourOf } from './enrich.ts'
import type { EnrichedClick } from './enrich.ts'

export interface SubjectTotal {
  readonly subject: string
  clicks: number
  bots: number
  lastAtMs: number | null
}

export interface SubjectTotals {
  readonly links: SubjectTotal[]
  readonly pages: SubjectTotal[]
}

export interface Count {
  readonly scope: string
  readonly at: number
  clicks: number
  uniques: number
  bots: number
}

export interface DimensionCount {
  readonly scope: string
  readonly dimension: ClickDimensionRow['dimension']
  readonly day: number
  readonly value: string
  clicks: number
}

/** Somebody on a day; `hour` is where they count if they turn out to be new. */
export interface Visit {
  readonly day: number
  readonly scope: string
  readonly visitor: number
  readonly hour: number
}

const DIMENSIONS = ['country', 'referrer', 'device', 'browser', 'system'] as const
const MAX_VALUES_A_DAY = 300
/** Stands for everything past the limit; no host, label or name is spelled like this. */
export const OTHER_VALUES = '(other)'

/** What the clicks add to the totals kept on links and pages. Clicks on a page's buttons add no view. */
export function totalsOf(clicks: readonly EnrichedClick[]): SubjectTotals {
  const links = new Map<string, SubjectTotal>()
  const pages = new Map<string, SubjectTotal>()
  for (const click of clicks) {
    const totals = click.kind === 'link' ? links : pages
    const total = getOrAdd(totals, click.subject, () => emptyTotal(click.subject))
    if (click.bot) {
      total.bots++
    } else if (click.kind === 'link' || click.kind === 'page') {
      total.clicks++
      // The clock may have jumped back: the latest is the largest, not the last.
      total.lastAtMs = Math.max(total.lastAtMs ?? 0, click.atMs)
    }
  }
  const inOrder = (totals: Map<string, SubjectTotal>) =>
    [...totals.values()].sort((a, b) => compare(a.subject, b.subject))
  return { links: inOrder(links), pages: inOrder(pages) }
}

/**
 * Counts a batch in memory, so that the database changes one row per hour, day and value and not one per click.
 * Rows come out in the order of their keys: two nodes that take the same locks then never wait for each other.
 */
export class Rollup {
  readonly #hours = new Map<string, Count>()
  readonly #days = new Map<string, Count>()
  readonly #dimensions = new Map<string, DimensionCount>()
  readonly #visits = new Map<string, Visit>()
  readonly #limiter: ValueLimiter

  constructor(limiter: ValueLimiter) {
    this.#limiter = limiter
  }

  /** Only links count for the user as a whole: the visit of a page through its short link is one visit. */
  add(click: EnrichedClick, userUuid: string): void {
    if (click.kind === 'button' || click.kind === 'icon') {
      if (!click.bot) this.#dimension(click.subject, dayOf(click.atMs), click.kind, click.detail)
      return
    }
    this.#addTo(click.subject, click)
    if (click.kind === 'link') this.#addTo(userUuid, click)
  }

  get visits(): Visit[] {
    return [...this.#visits.values()].sort(
      (a, b) => a.day - b.day || compare(a.scope, b.scope) || a.visitor - b.visitor,
    )
  }

  /** Visitors of which the day knew nothing before. */
  addUniques(visits: readonly Visit[]): void {
    for (const { day, scope, hour } of visits) {
      this.#count(this.#hours, scope, hour).uniques++
      this.#count(this.#days, scope, day).uniques++
    }
  }

  get hours(): Count[] {
    return [...this.#hours.values()].sort(byScope)
  }

  get days(): Count[] {
    return [...this.#days.values()].sort(byScope)
  }

  get dimensions(): DimensionCount[] {
    return [...this.#dimensions.values()].sort(
      (a, b) =>
        compare(a.scope, b.scope) ||
        compare(a.dimension, b.dimension) ||
        a.day - b.day ||
        compare(a.value, b.value),
    )
  }

  #addTo(scope: string, click: EnrichedClick): void {
    const [day, hour] = [dayOf(click.atMs), hourOf(click.atMs)]
    const what = click.bot ? 'bots' : 'clicks'
    this.#count(this.#hours, scope, hour)[what]++
    this.#count(this.#days, scope, day)[what]++
    if (click.bot) return
    for (const dimension of DIMENSIONS) this.#dimension(scope, day, dimension, click[dimension])
    const visit = { day, scope, visitor: click.visitor, hour }
    getOrAdd(this.#visits, `${day} ${scope} ${click.visitor}`, () => visit)
  }

  #count(counts: Map<string, Count>, scope: string, at: number): Count {
    return getOrAdd(counts, `${scope} ${at}`, () => ({ scope, at, clicks: 0, uniques: 0, bots: 0 }))
  }

  #dimension(scope: string, day: number, dimension: DimensionCount['dimension'], sent: string): void {
    const value = this.#limiter.admit(scope, day, dimension, sent)
    const key = `${scope} ${day} ${dimension} ${value}`
    getOrAdd(this.#dimensions, key, () => ({ scope, dimension, day, value, clicks: 0 })).clicks++
  }
}

/**
 * Visitors choose what stands in a referrer. One who invents a new one for every request must not make a row of
 * each: past a number of values a day, the rest of a scope are counted together.
 */
export class ValueLimiter {
  readonly #seen = new LRUCache<string, Set<string>>({ max: 2_000 })
  readonly #maxValues: number

  constructor(maxValues = MAX_VALUES_A_DAY) {
    this.#maxValues = maxValues
  }

  admit(scope: string, day: number, dimension: DimensionCount['dimension'], value: string): string {
    if (value === '' || dimension === 'country' || dimension === 'device') return value
    const key = `${scope} ${day} ${dimension}`
    const values = this.#seen.get(key) ?? new Set()
    if (values.has(value)) return value
    if (values.size >= this.#maxValues) return OTHER_VALUES
    if (values.size === 0) this.#seen.set(key, values)
    values.add(value)
    return value
  }
}

function emptyTotal(subject: string): SubjectTotal {
  return { subject, clicks: 0, bots: 0, lastAtMs: null }
}

function getOrAdd<V>(map: Map<string, V>, key: string, make: () => V): V {
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

function byScope(a: Count, b: Count): number {
  return compare(a.scope, b.scope) || a.at - b.at
}
