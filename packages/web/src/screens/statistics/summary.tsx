import type { UseQueryResult } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import { Download } from 'lucide-react'
import { timeZone } from '../../api/analytics.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Card } from '../../ui/screen.tsx'
import { isFiltered } from './filter-chips.tsx'
import { LiveMark } from './live-list.tsx'
import { NoClicks } from './no-clicks.tsx'
import { RangePicker } from './range-picker.tsx'
import type { RangeChoice } from './ranges.ts'
import { Totals } from './totals.tsx'
import type { View } from './use-view.ts'
import { withoutFilters } from './view.ts'

interface SummaryProps {
  readonly view: View
  readonly query: UseQueryResult<Analytics>
  readonly isLive: boolean
  readonly onExport: () => void
}

/** Totals and the chart of the period, and what chooses the period. */
export function Summary({ view, query, isLive, onExport }: SummaryProps) {
  const { search, change } = view
  return (
    <Card className="p-5 sm:p-6">
      <div className="mb-5 flex flex-wrap items-start justify-between gap-4">
        <Totals
          totals={query.data?.totals}
          previous={query.data?.previous ?? null}
          areBotsAlone={search.bot === true}
          onBots={() => change({ bot: search.bot === true ? undefined : true })}
        />
        <Controls view={view} onExport={onExport} />
      </div>
      <Chart view={view} query={query} />
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

function Controls({ view, onExport }: Pick<SummaryProps, 'view' | 'onExport'>) {
  const { search, choice, intervals, change } = view
  const choose = ({ preset, from, to, interval }: RangeChoice): void => {
    const isCustom = preset === 'custom'
    change({ range: preset, interval, from: isCustom ? from : undefined, to: isCustom ? to : undefined })
  }
  return (
    <div className="flex flex-wrap items-center gap-2">
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
      <Button icon={Download} onClick={onExport}>
        Export CSV
      </Button>
    </div>
  )
}

function Chart({ view, query }: Pick<SummaryProps, 'view' | 'query'>) {
  const { choice, filters, change } = view
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <div className="skeleton h-60" />
  const { totals, series, interval, previous } = query.data
  if (totals.clicks + totals.bots > 0)
    return (
      <TimeChart
        title="Clicks over time"
        series={series}
        interval={interval}
        hasBots
        previous={previous?.series}
      />
    )
  return (
    <NoClicks
      isFiltered={isFiltered(filters)}
      isLongest={choice.preset === '12m'}
      onClear={() => change(withoutFilters)}
      onLonger={() => change({ range: '12m', interval: undefined, from: undefined, to: undefined })}
    />
  )
}
