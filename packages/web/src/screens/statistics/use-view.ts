import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Filters } from '../../api/analytics-filters.ts'
import type { Interval, Range } from '../../api/analytics.ts'
import {
  customRange,
  dateBefore,
  daysBetween,
  daysOf,
  intervalsFor,
  type RangeChoice,
  rangeOf,
} from './ranges.ts'
import { filtersOf, type StatisticsSearch, statisticsSearch } from './view.ts'

export interface View {
  readonly search: StatisticsSearch
  readonly choice: RangeChoice
  readonly intervals: readonly Interval[]
  readonly range: Range
  readonly filters: Filters
  /** Changes the address; Back undoes it. */
  readonly change: (changes: StatisticsSearch) => void
}

/** The view in the address, and how to change it. Used by every screen with statistics. */
export function useView(): View {
  const search = statisticsSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const preset = search.range ?? '30d'
  const from = search.from ?? dateBefore(7)
  const to = search.to ?? dateBefore(0)
  const intervals = intervalsFor(preset === 'custom' ? daysBetween(from, to) : daysOf(preset))
  const usual: Interval = preset === 'custom' ? 'day' : rangeOf(preset).interval
  const wanted = search.interval ?? usual
  const interval = intervals.includes(wanted) ? wanted : (intervals[0] ?? 'day')
  return {
    search,
    choice: { preset, from, to, interval },
    intervals,
    range: preset === 'custom' ? customRange(from, to, interval) : rangeOf(preset, interval),
    filters: filtersOf(search),
    change: (changes) =>
      void navigate({
        to: '.',
        search: (earlier: object) => ({ ...earlier, ...changes }),
        resetScroll: false,
      } as Parameters<typeof navigate>[0]),
  }
}
