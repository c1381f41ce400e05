import { replaceEqualDeep } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
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
  readonly change: (changes: Change) => void
}

type Change = StatisticsSearch | ((search: StatisticsSearch) => StatisticsSearch)

/** The earlier object while an equal one takes its place, for components that render only when their input changes. */
function useSame<T>(value: T): T {
  const [kept, keep] = useState(value)
  const same = replaceEqualDeep(kept, value)
  if (same !== kept) keep(same)
  return same
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
  const range = useSame(preset === 'custom' ? customRange(from, to, interval) : rangeOf(preset, interval))
  const filters = useSame(filtersOf(search))
  const change = useCallback(
    (changes: Change) =>
      void navigate({
        to: '.',
        search: (earlier: Record<string, unknown>) => ({
          ...earlier,
          ...(typeof changes === 'function' ? changes(statisticsSearch(earlier)) : changes),
        }),
        resetScroll: false,
      } as Parameters<typeof navigate>[0]),
    [navigate],
  )
  return {
    search,
    choice: { preset, from, to, interval },
    intervals,
    range,
    filters,
    change,
  }
}
