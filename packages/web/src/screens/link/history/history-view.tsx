import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../../api/client.ts'
import { toast } from '../../../shell/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { Failure } from '../../../ui/failure.tsx'
import { Card, Skeletons } from '../../../ui/screen.tsx'
import { momentOf } from '../../../ui/times.ts'
import { linkSaved } from '../link-saved.ts'
import { causeInWords, changesOf, type Version } from './history-words.ts'

const UNDO_MS = 10_000

const historyQuery = (uuid: string) =>
  queryOptions({
    queryKey: ['links', 'history', uuid],
    queryFn: async ({ signal }) => (await api.linkHistory({ uuid }, { signal })).data,
    staleTime: 0,
  })

/** All changes of the link's destination, newest first. */
export function HistoryView({ link }: { readonly link: Link }) {
  const query = useQuery(historyQuery(link.uuid))
  const [reverting, setReverting] = useState<string | null>(null)
  const goTo = async (version: string): Promise<void> => {
    linkSaved((await api.revertLink({ uuid: link.uuid, version })).data)
  }
  const revert = async (version: Version, present: Version | undefined): Promise<void> => {
    setReverting(version.version)
    try {
      await goTo(version.version)
      toast.undoable(`Reverted to the version of ${momentOf(version.changed_at)}`, UNDO_MS, () => {
        if (present === undefined) return
        goTo(present.version).catch((error: unknown) => toast.failure(sentenceOf(error)))
      })
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setReverting(null)
    }
  }
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeletons count={3} className="h-20" />
  const versions = query.data
  const present = versions.find(({ current }) => current)
  return (
    <Card
      title="History"
      lead="Changes to the destination, rules, variants, expiry and domain in the last year."
    >
      <ol aria-label="Versions" className="border-l-2 border-line">
        {versions.map((version, at) => (
          <Entry
            key={version.version}
            version={version}
            before={versions[at + 1]}
            isBusy={reverting === version.version}
            onRevert={() => void revert(version, present)}
          />
        ))}
      </ol>
    </Card>
  )
}

function Entry({
  version,
  before,
  isBusy,
  onRevert,
}: {
  readonly version: Version
  readonly before: Version | undefined
  readonly isBusy: boolean
  readonly onRevert: () => void
}) {
  return (
    <li className="relative pb-6 pl-5 last:pb-0">
      <span
        aria-hidden
        className={`absolute top-1.5 -left-[0.4375rem] size-3 rounded-full border-2 border-surface ${version.current ? 'bg-brand' : 'bg-line-strong'}`}
      />
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        <p className="min-w-0">
          <span className="font-semibold">{causeInWords(version.cause)}</span>{' '}
          <time dateTime={version.changed_at} className="text-sm text-faint">
            {momentOf(version.changed_at)}
          </time>
        </p>
        {version.current ? (
          <span className="rounded-full bg-brand-soft px-2.5 py-0.5 text-xs font-bold text-brand-strong">
            Current
          </span>
        ) : (
          <Button
            icon={Undo2}
            isBusy={isBusy}
            does="revertLink"
            aria-label={`Revert to the version of ${momentOf(version.changed_at)}`}
            onClick={onRevert}
          >
            Revert
          </Button>
        )}
      </div>
      <dl className="mt-1.5 space-y-0.5 text-sm">
        {changesOf(version, before).map(({ what, before: earlier, after }) => (
          <div key={what} className="flex flex-wrap gap-x-2 wrap-anywhere">
            <dt className="text-muted">{what}:</dt>
            <dd>
              {earlier !== '' && (
                <>
                  <del className="text-faint">{earlier}</del> <span aria-label="changed to">→</span>{' '}
                </>
              )}
              {after}
            </dd>
          </div>
        ))}
      </dl>
    </li>
  )
}
