import { DAY_MS } from '../../work/times.ts'
import type { Breakdown, Dimension, Figures, FiguresQuery, Series, Tally } from './statistics.ts'
import { openTimeZone, type TimeZone } from './time-zone.ts'

/** Number of listed values of a dimension, in figures and in daily sums of a link. The rest is counted together. */
export const MAX_VALUES = 100
/** The name of the rest; no host, label or name has this spelling. */
export const OTHER_VALUES = '(other)'
/** Visitors choose their referrers: beyond this many distinct values, new ones count as others. */
const MAX_DISTINCT_VALUES = 200_000
/** Clicks are counted by quarter of an hour: the offsets of all time zones are multiples of it. */
export const QUARTER_MS = 15 * 60_000
export const QUARTERS_OF_A_DAY = DAY_MS / QUARTER_MS
const HOURS_OF_A_WEEK = 7 * 24

type Counted = readonly [value: string, clicks: number]

/** Most frequent first, then by name; the rest comes last. */
export function withOthers(counts: Iterable<Counted>, limit = MAX_VALUES): Counted[] {
  const all = [...counts]
  const values = all.filter(([value]) => value !== OTHER_VALUES)
  values.sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1))
  const listed = values.slice(0, limit)
  const sum = (some: readonly Counted[]): number => some.reduce((total, [, clicks]) => total + clicks, 0)
  const rest = sum(all) - sum(listed)
  return rest > 0 ? [...listed, [OTHER_VALUES, rest]] : listed
}

export interface Range {
  readonly fromMs: number
  /** The first millisecond after it. */
  readonly toMs: number
}

/** The whole hours or days that a query covers. */
export function rangeOf({ timezone, interval, fromMs, toMs }: FiguresQuery): Range {
  const zone = openTimeZone(timezone)
  const unit = interval === 'hour' ? 'hour' : 'day'
  return { fromMs: zone.startOf(fromMs, unit), toMs: zone.endOf(toMs, unit) }
}

/** Filters apply to single clicks; sums cannot be filtered. */
export const isFiltered = ({ filters, bot }: FiguresQuery): boolean => filters.size > 0 || bot !== undefined

/** A period of a query, and the figures of that period. */
export interface Period {
  readonly range: Range
  readonly sums: FigureSums
}

/** The periods that a query reads together. The previous one ends where the other begins, and has no breakdowns. */
export interface Periods {
  readonly current: Period
  readonly previous: Period | undefined
  readonly both: readonly Period[]
  /** From the first millisecond of the previous period. */
  readonly range: Range
}

export function periodsOf(query: FiguresQuery): Periods {
  const range = rangeOf(query)
  const current = { range, sums: new FigureSums(query, range) }
  const { previousFromMs } = query
  if (previousFromMs === undefined) return { current, previous: undefined, both: [current], range }
  const before = { ...rangeOf({ ...query, fromMs: previousFromMs }), toMs: range.fromMs }
  const previous = { range: before, sums: new FigureSums({ ...query, by: [] }, before) }
  return { current, previous, both: [previous, current], range: { ...range, fromMs: before.fromMs } }
}

export function figuresOf({ current, previous, both }: Periods): Figures {
  return {
    ...current.sums.series,
    previous: previous?.sums.series,
    breakdowns: current.sums.breakdowns,
    uniquesExact: both.every(({ sums }) => sums.uniquesExact),
  }
}

/** Adds up the figures of one period: points of a series and values of breakdowns. */
export class FigureSums {
  readonly #zone: TimeZone
  readonly #query: FiguresQuery
  readonly #points: (Tally & { readonly atMs: number })[] = []
  readonly #values: ReadonlyMap<Dimension, Map<string, number>>
  readonly #hoursOfWeek: Float64Array | undefined
  /** The point of the last tally: the next tally nearly always has the same. */
  #at = 0
  uniquesExact = true

  constructor(query: FiguresQuery, { fromMs, toMs }: Range) {
    this.#query = query
    this.#zone = openTimeZone(query.timezone)
    const { interval, by } = query
    for (let at = this.#zone.startOf(fromMs, interval); at < toMs; at = this.#zone.endOf(at, interval))
      this.#points.push({ atMs: at, clicks: 0, uniques: 0, bots: 0 })
    this.#values = new Map(by.map((dimension) => [dimension, new Map()]))
    if (by.includes('hour_of_week')) this.#hoursOfWeek = new Float64Array(HOURS_OF_A_WEEK)
  }

  /** The dimensions whose values have to be added. */
  get by(): readonly Dimension[] {
    return this.#query.by.filter((dimension) => dimension !== 'hour_of_week')
  }

  /** Adds the tally of a quarter of an hour, or of an hour. */
  addTally(atMs: number, clicks: number, uniques: number, bots: number): void {
    while (this.#at > 0 && atMs < this.#points[this.#at]!.atMs) this.#at--
    while (this.#at + 1 < this.#points.length && atMs >= this.#points[this.#at + 1]!.atMs) this.#at++
    const point = this.#points[this.#at]
    if (point !== undefined) {
      point.clicks += clicks
      point.uniques += uniques
      point.bots += bots
    }
    if (this.#hoursOfWeek !== undefined)
      this.#hoursOfWeek[this.#zone.hourOfWeek(atMs)]! += this.#query.bot === true ? bots : clicks
  }

  addValue(dimension: Dimension, value: string, clicks: number): void {
    const values = this.#values.get(dimension)
    if (values === undefined) return
    const known = values.get(value)
    if (known !== undefined) values.set(value, known + clicks)
    else if (values.size < MAX_DISTINCT_VALUES) values.set(value, clicks)
    else values.set(OTHER_VALUES, (values.get(OTHER_VALUES) ?? 0) + clicks)
  }

  get series(): Series {
    const totals = { clicks: 0, uniques: 0, bots: 0 }
    for (const { clicks, uniques, bots } of this.#points) {
      totals.clicks += clicks
      totals.uniques += uniques
      totals.bots += bots
    }
    return { series: this.#points, totals }
  }

  get breakdowns(): Figures['breakdowns'] {
    return new Map(
      [...this.#values].map(([dimension, values]) => [
        dimension,
        dimension === 'hour_of_week'
          ? breakdownOf(hoursOf(this.#hoursOfWeek ?? []), HOURS_OF_A_WEEK)
          : breakdownOf(values),
      ]),
    )
  }
}

const breakdownOf = (counts: Iterable<Counted>, limit?: number): Breakdown =>
  withOthers(counts, limit).map(([value, clicks]) => ({ value, clicks }))

const hoursOf = (clicks: Iterable<number>): Counted[] =>
  [...clicks].map((count, hour): Counted => [hourName(hour), count]).filter(([, count]) => count > 0)

/** `1-09`: Mondays from 09:00 to 10:00. */
function hourName(hourOfWeek: number): string {
  return `${Math.floor(hourOfWeek / 24) + 1}-${String(hourOfWeek % 24).padStart(2, '0')}`
}
