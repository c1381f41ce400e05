import { type CountedDimension, countedDimensions } from '@waymark/contract'
import { HOUR_MS } from '../../work/times.ts'
import { MAX_VALUES, type ValueCounts, withOthers } from './value-counts.ts'

export type Dimension = CountedDimension

export interface Tally {
  clicks: number
  uniques: number
  bots: number
}

export interface HourTally extends Tally {
  /** First millisecond of the quarter of an hour; of the hour in figures of earlier versions. */
  readonly at: number
}

/** What is added to a day's texts. */
export interface DayCounts {
  readonly day: number
  readonly hours: readonly HourTally[]
  readonly values: Readonly<Partial<Record<Dimension, ValueCounts>>>
}

export const TEXT_COLUMNS = ['hours', ...countedDimensions] as const
export type DayTexts = Readonly<Record<(typeof TEXT_COLUMNS)[number], string>>

export const NO_TEXTS = Object.fromEntries(TEXT_COLUMNS.map((column) => [column, ''])) as DayTexts

/** The day's texts with more counted into them. */
export function addedTo(
  known: DayTexts,
  { day, hours, values }: DayCounts,
  maxValues = MAX_VALUES,
): DayTexts {
  const more = (dimension: Dimension): string => {
    const counts = values[dimension]
    return counts === undefined ? known[dimension] : addValues(known[dimension], counts, maxValues)
  }
  const dimensions = countedDimensions.map((dimension) => [dimension, more(dimension)])
  return { ...(Object.fromEntries(dimensions) as DayTexts), hours: addHours(known.hours, day, hours) }
}

function addValues(known: string, counts: ValueCounts, maxValues: number): string {
  const sums = new Map<string, number>()
  eachValue(known, (value, clicks) => sums.set(value, clicks))
  // What is not known is what is missing to the clicks of the day.
  for (const [value, clicks] of counts.entries)
    if (value !== '') sums.set(value, (sums.get(value) ?? 0) + clicks)
  return sums.size === 0 ? '' : JSON.stringify(withOthers(sums, maxValues).flat())
}

function addHours(known: string, day: number, hours: readonly HourTally[]): string {
  if (hours.length === 0) return known
  const all = readHours(known, day)
  for (const hour of hours) {
    const same = all.find(({ at }) => at === hour.at)
    if (same === undefined) all.push({ ...hour })
    else addTally(same, hour)
  }
  return writeHours(all, day)
}

/** As `readHours` reads them. */
export function writeHours(hours: readonly HourTally[], day: number): string {
  return hours.length === 0
    ? ''
    : JSON.stringify(
        hours.flatMap(({ at, clicks, uniques, bots }) => [(at - day) / HOUR_MS, clicks, uniques, bots]),
      )
}

/** `[hour of the day, clicks, uniques, bots, …]`; 9.25 is the quarter of an hour from 09:15. */
export function readHours(text: string, day: number): HourTally[] {
  const list = parse<number>(text)
  const hours: HourTally[] = []
  // By index, without a list for each: a year has 35,000 of them.
  for (let at = 0; at < list.length; at += 4)
    hours.push({
      at: day + (list[at] ?? 0) * HOUR_MS,
      clicks: list[at + 1] ?? 0,
      uniques: list[at + 2] ?? 0,
      bots: list[at + 3] ?? 0,
    })
  return hours
}

/** `[value, clicks, …]`; figures of earlier versions have '' for what is not known. */
export function eachValue(text: string, take: (value: string, clicks: number) => void): void {
  const list = parse<string | number>(text)
  // Without a list for each: a year of an account has tens of thousands of them.
  for (let at = 0; at < list.length; at += 2) take(String(list[at]), Number(list[at + 1]))
}

export function tallyOf({ hours }: Pick<DayCounts, 'hours'>): Tally {
  const sum = { clicks: 0, uniques: 0, bots: 0 }
  for (const hour of hours) addTally(sum, hour)
  return sum
}

export function addTally(sum: Tally, { clicks, uniques, bots }: Tally): void {
  sum.clicks += clicks
  sum.uniques += uniques
  sum.bots += bots
}

function parse<T>(text: string): T[] {
  return text === '' ? [] : (JSON.parse(text) as T[])
}
