import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Analytics } from '@waymark/sdk'
import { seriesQuery } from '../../api/analytics.ts'
import { pollEvery } from '../../api/query-client.ts'
import { Loaded } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { rangeOf } from '../statistics/ranges.ts'
import { Change } from '../statistics/totals.tsx'

const REFRESH_MS = 15_000
const SCANS = { source: ['qr'] } as const

/** Clicks, visitors and scans of the last seven days, with the change from the seven days before. */
export function Tiles() {
  const range = rangeOf('7d')
  const all = useQuery({
    ...seriesQuery({}, range, {}, { isCompared: true }),
    refetchInterval: pollEvery(REFRESH_MS),
  })
  const scans = useQuery({
    ...seriesQuery({}, range, SCANS, { isCompared: true }),
    refetchInterval: pollEvery(REFRESH_MS),
  })
  return (
    <section aria-label="Last 7 days" className="grid grid-cols-1 gap-3 sm:grid-cols-3 sm:gap-4">
      <Tile label="Clicks" query={all} of="clicks" />
      <Tile label="Visitors" query={all} of="uniques" />
      <Tile label="Scans" query={scans} of="clicks" search={{ source: 'qr' }} />
    </section>
  )
}

function Tile({
  label,
  query,
  of,
  search = {},
}: {
  readonly label: string
  readonly query: Parameters<typeof Loaded<Analytics>>[0]['query']
  readonly of: 'clicks' | 'uniques'
  readonly search?: { readonly source?: string }
}) {
  return (
    <Loaded query={query} skeleton="h-29">
      {({ totals, previous, series }) => (
        <Link
          to="/statistics"
          search={{ ...search, range: '7d', compare: true }}
          className="flex h-29 items-end justify-between gap-3 rounded-lg border border-line bg-surface px-5 py-4 shadow-sm transition-colors hover:border-line-strong"
        >
          <span className="min-w-0">
            <span className="block text-sm whitespace-nowrap text-muted">{label}, 7 days</span>
            <span className="mt-0.5 block text-3xl leading-none font-bold tabular">{count(totals[of])}</span>
            <span className="mt-1.5 flex h-5 items-center">
              {previous !== null && <Change value={totals[of]} before={previous.totals[of]} />}
            </span>
          </span>
          <Sparkline values={series.map((point) => point[of])} />
        </Link>
      )}
    </Loaded>
  )
}

/** A sparkline of a few days, without axes: the number beside it has the value. */
function Sparkline({ values }: { readonly values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const width = 100 / Math.max(1, values.length)
  return (
    <svg
      aria-hidden
      viewBox="0 0 100 40"
      preserveAspectRatio="none"
      className="h-11 w-24 shrink-0 sm:w-16 lg:w-24"
    >
      {values.map((value, at) => {
        const height = Math.max(1.5, (value / most) * 40)
        return (
          <rect
            key={at}
            x={at * width + 1.5}
            y={40 - height}
            width={width - 3}
            height={height}
            rx="1.5"
            // The last day is not over yet.
            className={at === values.length - 1 ? 'fill-chart opacity-45' : 'fill-chart'}
          />
        )
      })}
    </svg>
  )
}
