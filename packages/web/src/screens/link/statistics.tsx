import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type Dimension, LIVE_MS, seriesQuery } from '../../api/analytics.ts'
import { queryClient } from '../../api/query-client.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { Breakdown } from './breakdown.tsx'
import { exportStatistics } from './export.ts'
import { RangePicker } from './range-picker.tsx'
import { customRange, daysBetween, daysOf, intervalsFor, type RangeChoice, rangeOf } from './ranges.ts'

type Names = ReadonlyMap<string, string>

const breakdowns: readonly { by: Dimension; title: string }[] = [
  { by: 'country', title: 'Countries' },
  { by: 'referrer', title: 'Referrers' },
  { by: 'device', title: 'Devices' },
  { by: 'browser', title: 'Browsers' },
  { by: 'system', title: 'Operating systems' },
]

const today = (): string => new Date().toISOString().slice(0, 10)

/** All statistics of one link, code or page, refreshed while the screen is open. */
export function Statistics({
  uuid,
  name,
  targets,
}: {
  readonly uuid: string
  readonly name: string
  /** Pages also count the clicks on each of their buttons and icons; these are their names by id. */
  readonly targets?: { readonly buttons: Names; readonly icons: Names } | undefined
}) {
  const [choice, setChoice] = useState<RangeChoice>({
    preset: '30d',
    from: today(),
    to: today(),
    interval: 'day',
  })
  const days = choice.preset === 'custom' ? daysBetween(choice.from, choice.to) : daysOf(choice.preset)
  const intervals = intervalsFor(days)
  const interval = intervals.includes(choice.interval) ? choice.interval : (intervals[0] ?? 'day')
  const range =
    choice.preset === 'custom'
      ? customRange(choice.from, choice.to, interval)
      : rangeOf(choice.preset, interval)

  const query = useQuery({ ...seriesQuery(uuid, range), refetchInterval: LIVE_MS })
  const totals = query.data?.totals
  const sum = totals === undefined ? undefined : totals.clicks + totals.bots
  const lastSum = useRef(sum)

  // The breakdowns do not poll; they are refetched when the totals change.
  useEffect(() => {
    if (sum === undefined || lastSum.current === sum) return
    const isFirst = lastSum.current === undefined
    lastSum.current = sum
    if (isFirst) return
    void queryClient.invalidateQueries({
      predicate: ({ queryKey }) =>
        queryKey[0] === 'analytics' && queryKey[1] === uuid && queryKey.length === 4,
    })
    void queryClient.invalidateQueries({ queryKey: ['links'] })
  }, [sum, uuid])

  const shown: readonly { by: Dimension; title: string; names?: Names }[] =
    targets === undefined
      ? breakdowns
      : [
          { by: 'button', title: 'Buttons', names: targets.buttons },
          { by: 'icon', title: 'Social icons', names: targets.icons },
          ...breakdowns,
        ]
  return (
    <div className="space-y-6">
      <Card className="p-5 sm:p-6">
        <div className="mb-5 flex flex-wrap items-start justify-between gap-4">
          <dl className="flex flex-wrap gap-x-8 gap-y-2" aria-live="polite">
            <Total label="Clicks" value={totals?.clicks} isMain />
            <Total label="Visitors" value={totals?.uniques} />
            <Total label="Bots (not counted)" value={totals?.bots} />
          </dl>
          <div className="flex flex-wrap items-center gap-2">
            <RangePicker choice={{ ...choice, interval }} intervals={intervals} onChoice={setChoice} />
            <Button
              icon={Download}
              onClick={() =>
                void exportStatistics(
                  uuid,
                  name,
                  range,
                  shown.map(({ by }) => by),
                )
              }
            >
              Export CSV
            </Button>
          </div>
        </div>
        {query.isError ? (
          <Failure error={query.error} onRetry={() => void query.refetch()} />
        ) : query.data === undefined ? (
          <div className="skeleton h-60" />
        ) : (
          <TimeChart
            title="Clicks over time"
            series={query.data.series}
            interval={query.data.interval}
            hasBots
          />
        )}
      </Card>
      <div className="grid gap-6 md:grid-cols-2 xl:grid-cols-3">
        {shown.map(({ by, title, names }) => (
          <Breakdown key={by} uuid={uuid} range={range} by={by} title={title} names={names} />
        ))}
      </div>
    </div>
  )
}

function Total({
  label,
  value,
  isMain = false,
}: {
  readonly label: string
  readonly value: number | undefined
  readonly isMain?: boolean
}) {
  return (
    <div>
      <dt className="flex items-center gap-1.5 text-sm text-muted">
        {isMain && <span aria-hidden className="size-2.5 rounded-[2px] bg-chart" />}
        {label}
      </dt>
      <dd
        className={isMain ? 'text-3xl font-bold tabular' : 'pt-1.5 text-xl font-semibold text-muted tabular'}
      >
        {value === undefined ? '–' : count(value)}
      </dd>
    </div>
  )
}
