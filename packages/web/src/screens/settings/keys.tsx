import { useQuery } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '@waymark/sdk'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { keysQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { useMemberNames } from '../../api/members.ts'
import { queryClient } from '../../api/query-client.ts'
import { orNull } from '../../forms/or-null.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { Card } from '../../ui/screen.tsx'
import { AccessFields, addressesIn, expiryIn, limitsOf, noAccess, scopesIn } from './access-fields.tsx'
import { AccessRow } from './access-row.tsx'
import { curlExample, sdkExample } from './key-examples.ts'
import { SecretDialog } from './shown-once.tsx'

const EMPTY = noAccess('never')

export function KeySettings() {
  const query = useQuery(keysQuery)
  const [made, setMade] = useState<NewApiKey | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const nameOf = useMemberNames()
  const form = useForm(EMPTY, async (values) => {
    const expires = expiryIn(values, Date.now())
    const { data } = await api.generateKey({
      name: orNull(values.name),
      signature_required: values.signature_required,
      expires_at: expires === 'never' ? null : expires,
      allowed_addresses: addressesIn(values),
      ...(values.access === 'some' ? { scopes: scopesIn(values) } : { scope: values.access }),
    })
    void queryClient.invalidateQueries({ queryKey: ['keys'] })
    setMade(data)
    return EMPTY
  })
  return (
    <>
      <Card
        title="API keys"
        lead={
          <>
            The API can do everything that the dashboard does.{' '}
            <a href="/docs" className="font-semibold text-brand underline underline-offset-2">
              Read the API reference
            </a>
            .
          </>
        }
      >
        <Form form={form} className="mb-6 space-y-5 border-b border-line pb-6">
          <AccessFields form={form} placeholder="Order emails">
            <SwitchField
              label="Require a signature"
              hint="Requests with the key alone, such as lists and new short links, are then rejected."
              isOn={form.values.signature_required}
              onToggle={(isOn) => form.set('signature_required', isOn)}
            />
          </AccessFields>
          <FormFailure form={form} />
          <Button look="primary" icon={Plus} type="submit" isBusy={form.isBusy}>
            Create API key
          </Button>
        </Form>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        {query.data?.length === 0 && (
          <p className="flex items-center gap-3 text-muted">
            <KeyRound aria-hidden size={20} className="shrink-0" />
            No API keys yet. A key comes with a secret that signs your requests. The secret is shown once.
          </p>
        )}
        <ul className="divide-y divide-line">
          {query.data?.map((key) => (
            <AccessRow
              key={key.uuid}
              name={key.name ?? 'Unnamed key'}
              row={key}
              creator={nameOf(key.created_by)}
              limits={[
                ...(key.scope === 'read' ? ['read only'] : []),
                ...(key.signature_required ? ['signature required'] : []),
                ...limitsOf({ ...key, scopes: key.scope === 'read' ? null : key.scopes }),
              ]}
              onRevoke={() => setRevoked(key)}
            >
              <p className="font-mono text-sm wrap-anywhere text-muted">{key.api_key}</p>
            </AccessRow>
          ))}
        </ul>
      </Card>
      {made !== null && (
        <SecretDialog
          key={made.uuid}
          title="New API key"
          noun="secret"
          name={{ label: 'API key', value: made.api_key }}
          secret={{ label: 'Secret', value: made.secret }}
          examples={[
            { language: 'curl', text: curlExample(location.origin, made.api_key, made.secret) },
            { language: 'TypeScript', text: sdkExample(location.origin, made.api_key, made.secret) },
          ]}
          onClose={() => setMade(null)}
        />
      )}
      <Confirm
        isOpen={revoked !== null}
        onClose={() => setRevoked(null)}
        title="Revoke this key?"
        action="Revoke"
        onConfirm={async () => {
          toast.news((await api.removeKey({ uuid: revoked?.uuid ?? '' })).message)
          await queryClient.invalidateQueries({ queryKey: ['keys'] })
        }}
      >
        <p>
          Requests with <strong className="text-ink">{revoked?.name ?? revoked?.api_key}</strong> are rejected
          at once. This cannot be undone.
        </p>
      </Confirm>
    </>
  )
}
