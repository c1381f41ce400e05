import { type FilterName, filterNames, type Filters } from '../../api/analytics-filters.ts'
import type { Interval } from '../../api/analytics.ts'
import { type Preset, presets } from './ranges.ts'

/** The view in the address bar. */
export interface StatisticsView {
  range?: Preset | 'custom' | undefined
  from?: string | undefined
  to?: string | undefined
  interval?: Interval | undefined
  compare?: true | undefined
  /** Only bots. */
  bot?: true | undefined
}

/** One value as a text, several as a list. */
type FilterSearch = { [N in FilterName]?: string | string[] | undefined }

export type StatisticsSearch = StatisticsView & FilterSearch

const ranges = [...presets.map(({ value }) => value), 'custom'] as const
const intervals = ['hour', 'day', 'week', 'month'] as const

const DATE = /^\d{4}-\d\d-\d\d$/

const dateIn = (value: unknown): string | undefined =>
  typeof value === 'string' && DATE.test(value) ? value : undefined

/** One text or several. */
export const textsIn = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((one) => typeof one === 'string' || typeof one === 'number')
    .map(String)

const packed = (values: readonly string[]): string | string[] | undefined =>
  values.length > 1 ? [...values] : values[0]

/** The view of an address; invalid parts are ignored. */
export const statisticsSearch = (search: Readonly<Record<string, unknown>>): StatisticsSearch => ({
  range: ranges.find((range) => range === search['range']),
  from: dateIn(search['from']),
  to: dateIn(search['to']),
  interval: intervals.find((interval) => interval === search['interval']),
  compare: search['compare'] === true ? true : undefined,
  bot: search['bot'] === true ? true : undefined,
  ...(Object.fromEntries(filterNames.map((name) => [name, packed(textsIn(search[name]))])) as FilterSearch),
})

/** The filters of a view. */
export const filtersOf = (search: StatisticsSearch): Filters => ({
  ...Object.fromEntries(
    filterNames
      .map((name) => [name, textsIn(search[name])] as const)
      .filter(([, values]) => values.length > 0),
  ),
  ...(search.bot === true && { bot: true }),
})

/** The change to a view that adds a value to a filter or removes it. */
export const toggled = (search: StatisticsSearch, name: FilterName, value: string): FilterSearch => {
  const values = textsIn(search[name])
  const left = values.includes(value) ? values.filter((one) => one !== value) : [...values, value]
  return { [name]: packed(left) }
}

/** The change to a view that removes all filters. */
export const withoutFilters: StatisticsSearch = {
  bot: undefined,
  ...Object.fromEntries(filterNames.map((name) => [name, undefined])),
}
