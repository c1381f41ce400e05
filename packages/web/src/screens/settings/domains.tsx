import { useQuery } from '@tanstack/react-query'
import type { Domain } from '@waymark/sdk'
import { BadgeCheck, Clock, Plus } from 'lucide-react'
import { useState } from 'react'
import { domainsQuery } from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'

const changed = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ['domains'] })

export function DomainSettings() {
  const query = useQuery(domainsQuery)
  const [removed, setRemoved] = useState<Domain | null>(null)
  const form = useForm({ name: '' }, async (values) => {
    await api.addDomain({ name: values.name.trim() })
    await changed()
    return { name: '' }
  })
  return (
    <>
      <Card
        title="Domains"
        lead="Use your own domain for links and pages. A DNS record proves that you own it."
      >
        <Form form={form} className="mb-6 flex flex-wrap items-end gap-3 border-b border-line pb-6">
          <TextField
            label="Domain"
            placeholder="go.example.com"
            className="min-w-48 flex-1"
            spellCheck={false}
            autoCapitalize="none"
            {...form.text('name')}
          />
          <Button look="primary" icon={Plus} type="submit" isBusy={form.isBusy} className="min-h-10">
            Add domain
          </Button>
          <FormFailure form={form} className="w-full" />
        </Form>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line">
          {query.data?.map((domain) => (
            <DomainRow key={domain.name} domain={domain} onRemove={() => setRemoved(domain)} />
          ))}
        </ul>
      </Card>
      <Confirm
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title="Remove this domain?"
        action="Remove"
        onConfirm={async () => {
          toast.news((await api.removeDomain({ name: removed?.name ?? '' })).message)
          await changed()
        }}
      >
        <p>
          You can remove <strong className="text-ink">{removed?.name}</strong> only while no link or page uses
          it.
        </p>
      </Confirm>
    </>
  )
}

function DomainRow({ domain, onRemove }: { readonly domain: Domain; readonly onRemove: () => void }) {
  const [isBusy, setIsBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const check = async (): Promise<void> => {
    setIsBusy(true)
    setFault(null)
    try {
      toast.news((await api.verifyDomain({ name: domain.name })).message)
      await changed()
    } catch (error) {
      setFault(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  const Icon = domain.verified ? BadgeCheck : Clock
  return (
    <li className="py-3 first:pt-0 last:pb-0">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Icon aria-hidden size={20} className={domain.verified ? 'text-brand' : 'text-warn'} />
        <div className="min-w-0 flex-1">
          <p className="truncate font-mono font-semibold">{domain.name}</p>
          <p className="text-sm text-muted">
            {domain.shared
              ? 'Shared with all accounts on this server'
              : domain.verified
                ? 'Verified'
                : 'Waiting for its DNS record'}
          </p>
        </div>
        {!domain.shared && (
          <span className="flex gap-2">
            {!domain.verified && (
              <Button look="primary" isBusy={isBusy} onClick={() => void check()}>
                Verify
              </Button>
            )}
            <Button look="quiet-danger" onClick={onRemove}>
              Remove
            </Button>
          </span>
        )}
      </div>
      {!domain.verified && domain.txt_name !== null && domain.txt_value !== null && (
        <div className="mt-3 space-y-2 rounded-md bg-sunken p-4 text-sm">
          <p>Add this TXT record at your DNS provider, then verify:</p>
          <Record label="Name" value={domain.txt_name} />
          <Record label="Value" value={domain.txt_value} />
        </div>
      )}
      {fault !== null && (
        <Notice kind="danger" className="mt-3">
          {fault}
        </Notice>
      )}
    </li>
  )
}

function Record({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <p className="flex items-center gap-3">
      <span className="w-12 shrink-0 text-muted">{label}</span>
      <code className="min-w-0 flex-1 wrap-anywhere">{value}</code>
      <CopyButton text={value} label={null} what={label.toLowerCase()} />
    </p>
  )
}
