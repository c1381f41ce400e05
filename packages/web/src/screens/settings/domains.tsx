import { useQuery } from '@tanstack/react-query'
import type { Domain } from '@waymark/sdk'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { domainsChanged, domainsQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { May } from '../../ui/may.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/screen.tsx'
import { DomainForm } from './domain-form.tsx'
import { DomainRow } from './domain-row.tsx'

export function DomainSettings() {
  const query = useQuery(domainsQuery)
  const [edited, setEdited] = useState<Domain | null>(null)
  const [removed, setRemoved] = useState<Domain | null>(null)
  const close = (): void => setEdited(null)
  return (
    <>
      <Card
        title="Domains"
        lead="Use your own domain for links and pages. DNS records prove that you own it and bring visitors here."
      >
        <May does="addDomain">
          <AddDomain />
        </May>
        {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
        <ul className="divide-y divide-line">
          {query.data?.map((domain) => (
            <DomainRow
              key={domain.name}
              domain={domain}
              onEdit={() => setEdited(domain)}
              onRemove={() => setRemoved(domain)}
            />
          ))}
        </ul>
      </Card>
      <Dialog isOpen={edited !== null} onClose={close} title={edited?.name ?? 'Domain'} isBare>
        {edited !== null && <DomainForm domain={edited} onClose={close} />}
      </Dialog>
      <Confirm
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
        title="Remove this domain?"
        action="Remove"
        onConfirm={async () => {
          toast.news((await api.removeDomain({ name: removed?.name ?? '' })).message)
          await domainsChanged()
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

function AddDomain() {
  const form = useForm({ name: '', ignoresCase: false }, async ({ name, ignoresCase }) => {
    await api.addDomain({ name: name.trim(), ...(ignoresCase && { ignore_case: true }) })
    await domainsChanged()
    return { name: '', ignoresCase: false }
  })
  return (
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
      <div className="w-full">
        <SwitchField
          label="Ignore case"
          hint="/Menu and /menu are the same link. This cannot be changed after the first short link."
          isOn={form.values.ignoresCase}
          onToggle={(isOn) => form.set('ignoresCase', isOn)}
        />
      </div>
      <FormFailure form={form} className="w-full" />
    </Form>
  )
}
