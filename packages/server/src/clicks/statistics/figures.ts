import type { Tally } from '../counting/day-texts.ts'
import { addTally } from '../counting/day-texts.ts'
import { withOthers } from '../counting/value-counts.ts'
import type { ScanSink } from '../batches/batch-scan.ts'
import type { Interval, TimeZone } from './time-zone.ts'

/** Fewer than any sum keeps apart: what is listed does not depend on which sums a question is answered from. */
const LISTED_VALUES = 100
const HOURS_OF_A_WEEK = 7 * 24

/** Where figures add up: points of a series, and values of a breakdown. */
export class Figures implements ScanSink {
  readonly #zone: TimeZone
  readonly #interval: Interval
  readonly #points = new Map<number, Tally>()
  readonly #values = new Map<string, number>()
  readonly #byHourOfWeek: 'clicks' | 'bots' | undefined
  /** By hour of the week, added up as numbers: a year has 35,000 quarters of an hour. */
  readonly #hours = new Float64Array(HOURS_OF_A_WEEK)
  #last = { start: 0, end: 0, point: undefined as Tally | undefined }

  /** All points of the range, empty ones too. */
  constructor(
    zone: TimeZone,
    interval: Interval,
    range: { fromMs: number; toMs: number },
    byHourOfWeek: 'clicks' | 'bots' | undefined,
  ) {
    this.#zone = zone
    this.#interval = interval
    this.#byHourOfWeek = byHourOfWeek
    for (let at = zone.startOf(range.fromMs, interval); at < range.toMs; at = zone.endOf(at, interval))
      this.#points.set(at, { clicks: 0, uniques: 0, bots: 0 })
  }

  addTally(atMs: number, tally: Tally): void {
    // What comes next is nearly always of the same point.
    if (atMs < this.#last.start || atMs >= this.#last.end) {
      const start = this.#zone.startOf(atMs, this.#interval)
      const end = this.#zone.endOf(atMs, this.#interval)
      this.#last = { start, end, point: this.#points.get(start) }
    }
    if (this.#last.point !== undefined) addTally(this.#last.point, tally)
    if (this.#byHourOfWeek !== undefined)
      this.#hours[this.#zone.hourOfWeek(atMs)]! += tally[this.#byHourOfWeek]
  }

  addValue(value: string, clicks: number): void {
    this.#values.set(value, (this.#values.get(value) ?? 0) + clicks)
  }

  get series(): (Tally & { atMs: number })[] {
    return [...this.#points].map(([atMs, tally]) => ({ atMs, ...tally }))
  }

  get totals(): Tally {
    const sum = { clicks: 0, uniques: 0, bots: 0 }
    for (const point of this.#points.values()) addTally(sum, point)
    return sum
  }

  /** Largest first. */
  get breakdown(): { value: string; clicks: number }[] {
    const hours = [...this.#hours].map((clicks, hour) => [hourName(hour), clicks] as const)
    const all = [...this.#values, ...hours.filter(([, clicks]) => clicks > 0)]
    return withOthers(all, this.#byHourOfWeek === undefined ? LISTED_VALUES : HOURS_OF_A_WEEK).map(
      ([value, clicks]) => ({ value, clicks }),
    )
  }
}

/** `1-09`: Mondays from 09:00 to 10:00. */
function hourName(hourOfWeek: number): string {
  return `${Math.floor(hourOfWeek / 24) + 1}-${String(hourOfWeek % 24).padStart(2, '0')}`
}
