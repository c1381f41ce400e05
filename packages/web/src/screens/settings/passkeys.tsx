import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { canUsePasskeys, createPasskey } from '../../api/passkeys.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { ago } from '../../ui/times.ts'
import { browserName } from './browser-name.ts'

type SecondFactors = Awaited<ReturnType<typeof api.secondFactors>>['data']
type Passkey = SecondFactors['passkeys'][number]

/** The passkeys of the user, or why passkeys cannot be used. */
export function Passkeys({
  factors,
  onCodes,
  onChanged,
}: {
  readonly factors: SecondFactors
  readonly onCodes: (codes: readonly string[]) => void
  readonly onChanged: () => Promise<void>
}) {
  const { data: instance } = useQuery(instanceQuery)
  const [isAdding, setIsAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const { passkeys, passkeys_unavailable } = factors
  const isLast = passkeys.length === 1 && !factors.totp
  return (
    <div className="mt-4 space-y-3 border-t border-line pt-4">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1">
          <p className="font-semibold">Passkeys</p>
          <p className="text-sm text-muted">{passkeys_unavailable ?? whyNot(instance)}</p>
        </div>
        {canUsePasskeys(instance) && <Button onClick={() => setIsAdding(true)}>Add a passkey</Button>}
      </div>
      <ul className="divide-y divide-line">
        {passkeys.map((passkey) => (
          <li key={passkey.uuid} className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-semibold wrap-anywhere">{passkey.name}</p>
              <p className="text-sm text-muted">
                Added {ago(passkey.created_at)},{' '}
                {passkey.last_used_at === null ? 'never used' : `last used ${ago(passkey.last_used_at)}`}
              </p>
            </div>
            <Button aria-label={`Remove ${passkey.name}`} onClick={() => setLeaving(passkey)}>
              Remove
            </Button>
          </li>
        ))}
      </ul>
      {isAdding && (
        <AddDialog
          onClose={() => setIsAdding(false)}
          onAdded={(codes) => {
            setIsAdding(false)
            if (codes.length > 0) onCodes(codes)
            else void onChanged()
          }}
        />
      )}
      <Confirm
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={`Remove ${leaving?.name ?? 'passkey'}`}
        action="Remove"
        onConfirm={async () => {
          toast.news((await api.removePasskey({ uuid: leaving?.uuid ?? '' })).message)
          await onChanged()
        }}
      >
        {isLast
          ? 'Signing in will no longer ask for a second factor. Your recovery codes are removed, too.'
          : 'You can no longer sign in with it.'}
      </Confirm>
    </div>
  )
}

const whyNot = (instance: { readonly base_url: string } | undefined): string => {
  if (!('PublicKeyCredential' in window)) return 'This browser does not support passkeys.'
  if (instance !== undefined && instance.base_url !== location.origin)
    return `Passkeys work at ${instance.base_url} only. Open that address to add one.`
  return 'Your fingerprint, face, screen lock or security key.'
}

function AddDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void
  readonly onAdded: (codes: readonly string[]) => void
}) {
  const formId = useId()
  const form = useForm({ name: browserName(navigator.userAgent) }, async ({ name }) => {
    const { data } = await api.setUpPasskey({})
    const passkey = await createPasskey(data.options)
    const added = await api.addPasskey({ name, passkey })
    toast.news(added.message)
    onAdded(added.data.recovery_codes)
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Add a passkey"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
            Continue
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">Your browser will ask where to store the passkey.</p>
        <FormFailure form={form} />
        <TextField label="Name" maxLength={60} autoFocus {...form.text('name')} />
      </Form>
    </Dialog>
  )
}
