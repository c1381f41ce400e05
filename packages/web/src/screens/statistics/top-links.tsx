import { useQuery } from '@tanstack/react-query'
import { Link as LinkTo } from '@tanstack/react-router'
import { headingOf, mostClickedQuery } from '../../api/links.ts'
import { Failure } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { bare } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'

/** The links with the most clicks of all time. */
export function TopLinks({
  tag,
  domain,
}: {
  readonly tag: string | undefined
  readonly domain: string | undefined
}) {
  const query = useQuery(mostClickedQuery({ tag, domain }))
  const links = (query.data ?? []).filter(({ clicks }) => clicks > 0)
  return (
    <Card title="Most clicked links" lead="All time">
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <div className="skeleton h-32" />}
      {query.data !== undefined && links.length === 0 && (
        <p className="py-6 text-center text-sm text-muted">No clicks yet</p>
      )}
      <ol className="divide-y divide-line">
        {links.map((link) => (
          <li key={link.uuid} className="flex items-center gap-3 py-2 text-sm">
            <LinkTo
              to="/links/$code"
              params={{ code: link.code }}
              search={{ domain: link.domain }}
              className="min-w-0 flex-1 hover:underline"
            >
              <span className="block truncate font-mono font-semibold">{bare(link.short_url)}</span>
              <span dir="auto" className="block truncate text-left text-faint">
                {headingOf(link) ?? bare(link.link)}
              </span>
            </LinkTo>
            <span className="shrink-0 font-bold tabular">{count(link.clicks)}</span>
          </li>
        ))}
      </ol>
    </Card>
  )
}
