import type { UseQueryResult } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import { ChevronDown, FileDown, Share2 } from 'lucide-react'
import { timeZone } from '../../api/analytics.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { Card } from '../../ui/screen.tsx'
import { FilterChips, isFiltered } from './filter-chips.tsx'
import { LiveMark } from './live-list.tsx'
import { NoClicks } from './no-clicks.tsx'
import { RangePicker } from './range-picker.tsx'
import type { RangeChoice } from './ranges.ts'
import { Totals } from './totals.tsx'
import type { View } from './use-view.ts'
import { toggled, withoutFilters } from './view.ts'

interface SummaryProps {
  readonly view: View
  readonly query: UseQueryResult<Analytics>
  readonly isLive: boolean
  /** The unit, in the singular. */
  readonly unit: 'click' | 'view'
}

/** Totals and the chart of the period. */
export function Summary({ view, query, isLive, unit }: SummaryProps) {
  const { search, change } = view
  const units = unit === 'view' ? 'Views' : 'Clicks'
  return (
    <Card className="p-5 sm:p-6">
      <div className="mb-5">
        <Totals
          label={units}
          totals={query.data?.totals}
          previous={query.data?.previous ?? null}
          areBotsAlone={search.bot === true}
          onBots={() => change({ bot: search.bot === true ? undefined : true })}
        />
      </div>
      <Chart view={view} query={query} unit={unit} />
      <p className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-1 text-xs text-faint">
        <span>
          Time zone: {timeZone}
          {query.data?.timezone_exact === false && ', earlier days rounded to the hour'}
        </span>
        <LiveMark isOpen={isLive} />
      </p>
    </Card>
  )
}

interface StatisticsBarProps {
  readonly view: View
  readonly onExport: () => void
  readonly onExportClicks: () => void
  /** Absent: these statistics cannot be shared. */
  readonly onShare: (() => void) | undefined
}

/** Controls of the figures: date range, comparison, filters and export. Stays visible. */
export function StatisticsBar({ view, onExport, onExportClicks, onShare }: StatisticsBarProps) {
  const { search, choice, intervals, filters, change } = view
  const choose = ({ preset, from, to, interval }: RangeChoice): void => {
    const isCustom = preset === 'custom'
    change({ range: preset, interval, from: isCustom ? from : undefined, to: isCustom ? to : undefined })
  }
  return (
    <div
      role="group"
      aria-label="Period and filters"
      className="sticky top-13 z-10 -mx-4 flex flex-wrap items-center gap-2 border-b border-line bg-ground px-4 py-2 sm:mx-0 sm:rounded-lg sm:border sm:bg-surface sm:px-3 lg:top-2"
    >
      <RangePicker choice={choice} intervals={intervals} onChoice={choose} />
      <label className="flex min-h-9 items-center gap-2 text-sm font-semibold">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          checked={search.compare === true}
          onChange={(event) => change({ compare: event.target.checked ? true : undefined })}
        />
        Compare
      </label>
      <span className="ml-auto" />
      {onShare !== undefined && (
        <Button does="shareStatistics" icon={Share2} aria-label="Share statistics" onClick={onShare}>
          Share
        </Button>
      )}
      <Menu
        label="Export"
        hasOwnText
        triggerClassName="button button-plain"
        trigger={
          <>
            Export
            <ChevronDown aria-hidden size={16} className="shrink-0" />
          </>
        }
      >
        <MenuItem icon={FileDown} onSelect={onExport}>
          Statistics (CSV)
        </MenuItem>
        <MenuItem icon={FileDown} onSelect={onExportClicks}>
          Single clicks (CSV)
        </MenuItem>
      </Menu>
      <FilterChips
        filters={filters}
        onRemove={(filter, value) =>
          change(filter === 'bot' ? { bot: undefined } : toggled(search, filter, value))
        }
        onClear={() => change(withoutFilters)}
      />
    </div>
  )
}

function Chart({ view, query, unit }: Pick<SummaryProps, 'view' | 'query' | 'unit'>) {
  const { choice, filters, change } = view
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <div className="skeleton h-60" />
  const { totals, series, interval, previous } = query.data
  if (totals.clicks + totals.bots > 0)
    return (
      <TimeChart
        title={unit === 'view' ? 'Views over time' : 'Clicks over time'}
        unit={unit}
        series={choice.preset === 'all' ? sinceFirst(series) : series}
        interval={interval}
        hasBots
        previous={previous?.series}
      />
    )
  return (
    <NoClicks
      unit={unit}
      isFiltered={isFiltered(filters)}
      isLongest={choice.preset === 'all'}
      onClear={() => change(withoutFilters)}
      onLonger={() => change({ range: 'all', interval: undefined, from: undefined, to: undefined })}
    />
  )
}

/** "All time" begins with the first click. */
const sinceFirst = (series: Analytics['series']): Analytics['series'] =>
  series.slice(
    Math.max(
      0,
      series.findIndex(({ clicks, bots }) => clicks + bots > 0),
    ),
  )
