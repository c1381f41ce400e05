import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { seriesQuery } from '../../api/analytics.ts'
import { TimeChart } from '../../charts/time-chart.tsx'
import { Failure } from '../../ui/failure.tsx'
import { count, noun } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { rangeOf } from '../statistics/ranges.ts'

const REFRESH_MS = 10_000

/** Clicks on all links in the last 30 days. */
export function LastMonth() {
  const query = useQuery({ ...seriesQuery({}, rangeOf('30d')), refetchInterval: REFRESH_MS })
  const totals = query.data?.totals
  return (
    <Card
      title="Clicks in the last 30 days"
      aside={
        totals !== undefined && (
          <p className="text-right">
            <span className="text-2xl font-bold tabular">{count(totals.clicks)}</span>
            <span className="ml-2 text-sm text-muted tabular">
              from {count(totals.uniques)} {noun(totals.uniques, 'visitor')}
            </span>
            <Link to="/statistics" className="ml-4 text-sm font-semibold text-brand hover:underline">
              View statistics
            </Link>
          </p>
        )
      }
    >
      {query.isError ? (
        <Failure error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <div className="skeleton h-[11.875rem]" />
      ) : (
        <>
          <TimeChart
            title="Clicks in the last 30 days, all links"
            series={query.data.series}
            interval={query.data.interval}
            height={190}
          />
          {totals?.clicks === 0 && (
            <p className="mt-1 text-center text-sm text-muted">
              No clicks yet. A click appears here within a second.
            </p>
          )}
        </>
      )}
    </Card>
  )
}
