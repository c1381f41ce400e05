import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { identitiesQuery, instanceQuery, securityEventsQuery } from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { takePendingLink } from '../../shell/oidc.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'

type Identity = Awaited<ReturnType<typeof api.identities>>['data'][number]

const reload = async (): Promise<void> => {
  for (const { queryKey } of [identitiesQuery, securityEventsQuery])
    await queryClient.invalidateQueries({ queryKey })
}

/** Links the identity that the provider has just returned. */
async function completeLink(): Promise<null> {
  const query = takePendingLink()
  if (query === null) return null
  try {
    toast.news((await api.addIdentity({ query })).message)
    await reload()
  } catch (error) {
    toast.failure(sentenceOf(error))
  }
  return null
}

/** Identities at the OpenID provider that sign the user in. */
export function Identities() {
  const { data: instance } = useQuery(instanceQuery)
  const query = useQuery(identitiesQuery)
  const [isBusy, setIsBusy] = useState(false)
  const [leaving, setLeaving] = useState<Identity | null>(null)
  const run = async (work: () => Promise<void>): Promise<void> => {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  useQuery({ queryKey: ['pending-link'], queryFn: completeLink, gcTime: 0, retry: false })
  const name = instance?.oidc
  if (name == null) return null
  return (
    <Card title="Linked identities" lead={`Sign in with ${name} instead of your password.`}>
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      <ul className="divide-y divide-line">
        {query.data?.map((identity) => (
          <li key={identity.uuid} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-semibold wrap-anywhere">{identity.email ?? name}</p>
              <p className="text-sm wrap-anywhere text-muted">
                {new URL(identity.issuer).host}, linked {ago(identity.created_at)},{' '}
                {identity.last_used_at === null ? 'never used' : `last used ${ago(identity.last_used_at)}`}
              </p>
            </div>
            <Button aria-label={`Unlink ${identity.email ?? name}`} onClick={() => setLeaving(identity)}>
              Unlink
            </Button>
          </li>
        ))}
      </ul>
      <Button
        isBusy={isBusy}
        onClick={() => void run(async () => location.assign((await api.setUpIdentity({})).data.url))}
        className="mt-3"
      >
        Link {name}
      </Button>
      <Confirm
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title="Unlink identity"
        action="Unlink"
        onConfirm={async () => {
          toast.news((await api.removeIdentity({ uuid: leaving?.uuid ?? '' })).message)
          await reload()
        }}
      >
        You can no longer sign in with it.
      </Confirm>
    </Card>
  )
}
