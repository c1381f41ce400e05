import { useQuery } from '@tanstack/react-query'
import { Link as LinkTo } from '@tanstack/react-router'
import type { Filters } from '../../api/analytics-filters.ts'
import { breakdownQuery, type Range, type Scope } from '../../api/analytics.ts'
import { Loaded } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { ShortAddress } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'

const SHOWN = 7

/** The most clicked links of the period, with the filters applied. */
export function TopLinks({
  title = 'Most clicked links',
  scope,
  range,
  filters,
  isLoadedElsewhere = false,
}: {
  readonly title?: string
  readonly scope: Scope
  readonly range: Range
  readonly filters: Filters
  /** Whether the links are loaded together with other figures. */
  readonly isLoadedElsewhere?: boolean
}) {
  const query = useQuery({
    ...breakdownQuery(scope, range, filters, 'link'),
    enabled: !isLoadedElsewhere,
  })
  return (
    <Card title={title}>
      <Loaded query={query} skeleton="h-56">
        {(rows) => {
          const links = rows.filter(({ link }) => link != null).slice(0, SHOWN)
          return links.length === 0 ? (
            <p className="py-6 text-center text-sm text-muted">No clicks in this period</p>
          ) : (
            <ol className="divide-y divide-line">
              {links.map(({ value, clicks, link }) => (
                <li key={value} className="flex items-center gap-3 py-2 text-sm">
                  <LinkTo
                    to="/links/$code"
                    params={{ code: link?.code ?? '' }}
                    search={{ domain: link?.domain }}
                    className="min-w-0 flex-1 hover:underline"
                  >
                    <span className="flex font-mono font-semibold">
                      <ShortAddress shortUrl={link?.short_url ?? ''} />
                    </span>
                    {link?.title != null && (
                      <span dir="auto" className="block truncate text-left text-faint">
                        {link.title}
                      </span>
                    )}
                  </LinkTo>
                  <span className="shrink-0 font-bold tabular">{count(clicks)}</span>
                </li>
              ))}
            </ol>
          )
        }}
      </Loaded>
    </Card>
  )
}
