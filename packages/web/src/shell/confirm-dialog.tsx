import { useId } from 'react'
import { profileQuery } from '../api/account.ts'
import { api } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { FormFailure } from '../forms/form-failure.tsx'
import { Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { PasswordField } from '../ui/password-field.tsx'

/** Asks for the password before a change that a stolen session must not make. */
export function ConfirmDialog({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const formId = useId()
  const email = queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''
  const form = useForm({ password: '' }, async ({ password }) => {
    await api.reauthenticate({ password })
    onAnswer(true)
  })
  return (
    <Dialog
      isOpen
      onClose={() => onAnswer(false)}
      title="Confirm that it is you"
      footer={
        <>
          <Button look="ghost" onClick={() => onAnswer(false)}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
            Confirm
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">Enter your password to continue. You are asked again after 15 minutes.</p>
        <FormFailure form={form} />
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
      </Form>
    </Dialog>
  )
}
