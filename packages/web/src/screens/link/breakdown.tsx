import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { breakdownQuery, type Dimension, LIVE_MS, type Range } from '../../api/analytics.ts'
import { Failure } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { valueName } from './value-names.ts'

const SHOWN = 7

/** Clicks by one dimension, as bars in descending order. */
export function Breakdown({
  uuid,
  range,
  by,
  title,
  names,
}: {
  readonly uuid: string
  readonly range: Range
  readonly by: Dimension
  readonly title: string
  /** Names for values that are ids, such as the buttons of a page. */
  readonly names?: ReadonlyMap<string, string> | undefined
}) {
  // Clicks on buttons and icons leave the totals of the page as they are, whose change refetches the other breakdowns.
  const refetchInterval = names === undefined ? false : LIVE_MS
  const query = useQuery({ ...breakdownQuery(uuid, range, by), refetchInterval })
  const [isWhole, setIsWhole] = useState(false)
  const rows = (query.data ?? []).filter((row) => row.clicks > 0)
  const most = Math.max(1, ...rows.map((row) => row.clicks))
  const sum = rows.reduce((total, row) => total + row.clicks, 0)
  return (
    <Card title={title}>
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <div className="skeleton h-32" />}
      {query.data !== undefined && rows.length === 0 && (
        <p className="text-sm text-muted">No clicks in this period</p>
      )}
      <ol className="space-y-1">
        {rows.slice(0, isWhole ? undefined : SHOWN).map((row) => (
          <li
            key={row.value}
            className="relative flex items-center justify-between gap-3 px-2.5 py-1.5 text-sm"
          >
            <svg
              aria-hidden
              className="absolute inset-0 size-full"
              preserveAspectRatio="none"
              viewBox="0 0 100 10"
            >
              <rect width={(row.clicks / most) * 100} height="10" className="fill-[var(--chart-soft)]" />
            </svg>
            <span className="relative truncate font-medium" title={row.value}>
              {names?.get(row.value) ?? valueName(by, row.value)}
            </span>
            <span className="relative shrink-0 tabular">
              <span className="font-bold">{count(row.clicks)}</span>
              <span className="ml-2 inline-block w-9 text-right text-muted">
                {Math.round((row.clicks / sum) * 100)}%
              </span>
            </span>
          </li>
        ))}
      </ol>
      {rows.length > SHOWN && (
        <button
          type="button"
          className="mt-2 px-2.5 text-sm font-semibold text-brand hover:underline"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? 'Show less' : `Show all ${rows.length}`}
        </button>
      )}
    </Card>
  )
}
