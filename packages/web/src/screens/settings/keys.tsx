import { useQuery } from '@tanstack/react-query'
import type { ApiKey, NewApiKey } from '@waymark/sdk'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { keysQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { orNull } from '../../forms/or-null.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago, dayOf } from '../../ui/times.ts'
import { NewKey } from './new-key.tsx'

interface KeyValues {
  readonly name: string
  readonly scope: ApiKey['scope']
  readonly signature_required: boolean
}

const EMPTY: KeyValues = { name: '', scope: 'write', signature_required: false }

const scopes: readonly { readonly value: ApiKey['scope']; readonly label: string }[] = [
  { value: 'write', label: 'Read and write' },
  { value: 'read', label: 'Read only' },
]

export function KeySettings() {
  const query = useQuery(keysQuery)
  const [made, setMade] = useState<NewApiKey | null>(null)
  const [revoked, setRevoked] = useState<ApiKey | null>(null)
  const form = useForm<KeyValues>(EMPTY, async ({ name, ...rest }) => {
    const { data } = await api.generateKey({ name: orNull(name), ...rest })
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
        <Form form={form} className="mb-6 flex flex-wrap items-end gap-3 border-b border-line pb-6">
          <TextField
            label="Name"
            isOptional
            placeholder="Order emails"
            className="min-w-48 flex-1"
            {...form.text('name')}
          />
          <SelectField
            label="Access"
            value={form.values.scope}
            onValue={(scope) => form.set('scope', scope)}
            options={scopes}
          />
          <div className="w-full">
            <SwitchField
              label="Require a signature"
              hint="Requests with the key alone, such as lists and new short links, are then rejected."
              isOn={form.values.signature_required}
              onToggle={(isOn) => form.set('signature_required', isOn)}
            />
          </div>
          <Button look="primary" icon={Plus} type="submit" isBusy={form.isBusy}>
            Create API key
          </Button>
          <FormFailure form={form} className="w-full" />
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
            <li
              key={key.uuid}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
            >
              <div className="min-w-0 flex-1 basis-64">
                <p className="font-semibold wrap-anywhere">{key.name ?? 'Unnamed key'}</p>
                <p className="font-mono text-sm wrap-anywhere text-muted">{key.api_key}</p>
              </div>
              <p className="text-sm text-faint">
                {key.scope === 'read' && 'read only, '}
                {key.signature_required && 'signature required, '}created {dayOf(key.created_at)},{' '}
                {key.last_used_at === null ? 'never used' : `last used ${ago(key.last_used_at)}`}
              </p>
              <Button look="quiet-danger" onClick={() => setRevoked(key)}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      </Card>
      <NewKey made={made} onClose={() => setMade(null)} />
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
