import { queryOptions, useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, Share2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choices.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { DAY_MS, momentOf } from '../../ui/times.ts'

const sharedQuery = queryOptions({
  queryKey: ['shared-statistics'],
  queryFn: async ({ signal }) => (await api.sharedStatistics({}, { signal })).data,
})

type Shared = Awaited<ReturnType<typeof api.sharedStatistics>>['data'][number]

const NEVER = 'never'
const KEPT = 'kept'

const lengths = [
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: NEVER, label: 'Never' },
]

const endOf = (length: string): string | null =>
  length === NEVER ? null : new Date(Date.now() + Number(length) * DAY_MS).toISOString()

/** The public address of the statistics of a link or page: create, copy or revoke it. */
export function ShareDialog({
  uuid,
  noun,
  onClose,
}: {
  readonly uuid: string
  readonly noun: 'link' | 'page'
  readonly onClose: () => void
}) {
  const query = useQuery({ ...sharedQuery, staleTime: 0 })
  const changed = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sharedQuery.queryKey })
  const share = useMutation({
    mutationFn: (length: string) => api.shareStatistics({ uuid, expires_at: endOf(length) }),
    onSuccess: changed,
  })
  const unshare = useMutation({ mutationFn: () => api.unshareStatistics({ uuid }), onSuccess: changed })
  const shared = query.data?.find((each) => each.uuid === uuid)
  const failure = share.error ?? unshare.error
  return (
    <Dialog isOpen onClose={onClose} title="Share statistics">
      <div className="space-y-5">
        <p className="text-muted">
          Anyone who has the address can see the figures of this {noun}: totals, countries, referrers and
          devices. It shows no single clicks, and search engines are told not to list it.
        </p>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {query.isPending && <div className="skeleton h-24" />}
        {query.data !== undefined &&
          (shared === undefined ? (
            <NewAddress isBusy={share.isPending} onCreate={(length) => share.mutate(length)} />
          ) : (
            <Address
              shared={shared}
              isBusy={share.isPending || unshare.isPending}
              onLength={(length) => share.mutate(length)}
              onStop={() => unshare.mutate()}
            />
          ))}
        {failure !== null && <Notice kind="danger">{sentenceOf(failure)}</Notice>}
      </div>
    </Dialog>
  )
}

function NewAddress({
  isBusy,
  onCreate,
}: {
  readonly isBusy: boolean
  readonly onCreate: (length: string) => void
}) {
  const [length, setLength] = useState('90')
  return (
    <>
      <SelectField label="Expires" value={length} onValue={setLength} options={lengths} />
      <Button look="primary" icon={Share2} isBusy={isBusy} onClick={() => onCreate(length)}>
        Create address
      </Button>
    </>
  )
}

function Address({
  shared,
  isBusy,
  onLength,
  onStop,
}: {
  readonly shared: Shared
  readonly isBusy: boolean
  readonly onLength: (length: string) => void
  readonly onStop: () => void
}) {
  const { shared_url: url, expires_at: end } = shared
  const kept = end === null ? [] : [{ value: KEPT, label: momentOf(end) }]
  return (
    <>
      <div>
        <p className="eyebrow mb-1">Public address</p>
        <p className="flex items-center gap-1 rounded-md border border-line bg-sunken py-1 pr-1 pl-3">
          <code className="min-w-0 flex-1 text-sm font-semibold wrap-anywhere">{url}</code>
          <CopyButton text={url} label={null} what="public address" />
        </p>
      </div>
      <SelectField
        label="Expires"
        value={end === null ? NEVER : KEPT}
        onValue={(length) => length !== KEPT && onLength(length)}
        options={[...kept, ...lengths]}
      />
      <div className="flex flex-wrap items-center justify-between gap-2">
        <Button look="quiet-danger" icon={Trash2} isBusy={isBusy} onClick={onStop}>
          Stop sharing
        </Button>
        <a href={url} target="_blank" rel="noreferrer" className="button button-plain">
          <ExternalLink aria-hidden size={16} className="shrink-0" />
          Open
        </a>
      </div>
    </>
  )
}
