import { useQuery } from '@tanstack/react-query'
import type { AccessToken, NewAccessToken } from '@waymark/sdk'
import { KeySquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { tokensQuery, useMemberNames } from '../../api/members.ts'
import { queryClient } from '../../api/query-client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { orNull } from '../../forms/or-null.ts'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'
import { AccessFields, addressesIn, expiryIn, noAccess, scopesIn } from './access-fields.tsx'
import { AccessRow } from './access-row.tsx'
import { ShownOnce } from './shown-once.tsx'

const EMPTY = noAccess('90')

export function TokenSettings() {
  const query = useQuery(tokensQuery)
  const nameOf = useMemberNames()
  const [made, setMade] = useState<NewAccessToken | null>(null)
  const [revoked, setRevoked] = useState<AccessToken | null>(null)
  const form = useForm(EMPTY, async (values) => {
    const { data } = await api.generateToken({
      name: orNull(values.name),
      expires_at: expiryIn(values, Date.now()),
      scopes: scopesIn(values),
      allowed_addresses: addressesIn(values),
    })
    void queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
    setMade(data)
    return EMPTY
  })
  return (
    <>
      <Card
        title="Access tokens"
        lead="For tools that cannot sign requests, such as n8n, Zapier and generated clients."
      >
        <Form form={form} className="mb-6 space-y-5 border-b border-line pb-6">
          <AccessFields form={form} placeholder="n8n" />
          <FormFailure form={form} />
          <Button look="primary" icon={Plus} type="submit" isBusy={form.isBusy}>
            Create access token
          </Button>
        </Form>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && (
          <p className="flex items-center gap-3 text-muted">
            <KeySquare aria-hidden size={20} className="shrink-0" />
            No access tokens yet. A token is sent as it is, in the header Authorization. It is shown once.
          </p>
        )}
        <ul className="divide-y divide-line">
          {query.data?.map((token) => (
            <AccessRow
              key={token.uuid}
              name={token.name ?? 'Unnamed token'}
              row={token}
              creator={nameOf(token.created_by)}
              onRevoke={() => setRevoked(token)}
            />
          ))}
        </ul>
      </Card>
      {made !== null && <NewToken key={made.uuid} made={made} onClose={() => setMade(null)} />}
      <Confirm
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        title="Revoke this access token?"
        action="Revoke"
        onConfirm={async () => {
          toast.news((await api.removeToken({ uuid: revoked?.uuid ?? '' })).message)
          await queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
        }}
      >
        <p>
          Requests with <strong className="text-ink">{revoked?.name ?? 'this token'}</strong> are rejected at
          once. This cannot be undone.
        </p>
      </Confirm>
    </>
  )
}

/** A new access token, this once. */
function NewToken({ made, onClose }: { readonly made: NewAccessToken; readonly onClose: () => void }) {
  const [isStored, setIsStored] = useState(false)
  const store = (): void => setIsStored(true)
  const example = `curl ${location.origin}/v1/generate-link \\
  -H 'Authorization: Bearer ${made.token}' \\
  -H 'Content-Type: application/json' \\
  -d '{"link":"https://example.com/"}'`
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="New access token"
      isWide
      isLocked={!isStored}
      footer={
        <Button look="primary" onClick={onClose}>
          {isStored ? 'Done' : 'I have stored it'}
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">Copy the token now. It is not shown again.</Notice>
        <ShownOnce label="Access token" value={made.token} onCopied={store} />
        <div>
          <div className="mb-2 flex items-center justify-between gap-2">
            <p className="eyebrow">Try it</p>
            <CopyButton text={example} what="example" onCopied={store} />
          </div>
          <pre
            tabIndex={0}
            aria-label="Example"
            className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-xs leading-relaxed"
          >
            {example}
          </pre>
        </div>
      </div>
    </Dialog>
  )
}
