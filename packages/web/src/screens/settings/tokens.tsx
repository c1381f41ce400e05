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
import { Failure } from '../../ui/failure.tsx'
import { Card } from '../../ui/screen.tsx'
import { AccessFields, addressesIn, expiryIn, noAccess, scopesIn } from './access-fields.tsx'
import { AccessRow } from './access-row.tsx'
import { tokenExample } from './key-examples.ts'
import { SecretDialog } from './shown-once.tsx'

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
      {made !== null && (
        <SecretDialog
          key={made.uuid}
          title="New access token"
          noun="token"
          secret={{ label: 'Access token', value: made.token }}
          examples={[{ language: 'curl', text: tokenExample(location.origin, made.token) }]}
          onClose={() => setMade(null)}
        />
      )}
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
