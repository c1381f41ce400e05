import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { instanceQuery, profileQuery } from '../api/account.ts'
import { api } from '../api/client.ts'
import { askForPasskey, canUsePasskeys } from '../api/passkeys.ts'
import { queryClient } from '../api/query-client.ts'
import { FormFailure } from '../forms/form-failure.tsx'
import { Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { PasskeyButton, ProviderWindowButton } from './passkey-button.tsx'
import { CODE_HINT } from './sign-in-steps.ts'

/** Asks for a proof of identity, by any available method, before a change that a stolen session must not make. */
export function ConfirmDialog({ onAnswer }: { readonly onAnswer: (isConfirmed: boolean) => void }) {
  const formId = useId()
  const email = queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''
  const { data: instance } = useQuery(instanceQuery)
  const { data: ways } = useQuery({
    queryKey: ['reauthentication-methods'],
    queryFn: async ({ signal }) => (await api.reauthenticationMethods({}, { signal })).data,
    gcTime: 0,
  })
  const form = useForm({ password: '', code: '' }, async ({ password, code }) => {
    await api.reauthenticate(password === '' && code !== '' ? { code } : { password })
    onAnswer(true)
  })
  const has = (method: string): boolean => ways?.methods.some((each) => each === method) ?? false
  const takesPassword = ways === undefined || has('password')
  const takesCode = has('totp') || has('recovery')
  const takesPasskey = canUsePasskeys(instance) && ways?.passkey_options != null
  const confirmWithPasskey = async (): Promise<void> => {
    // The dialog may have been open for longer than its options are valid.
    const { passkey_options } = (await api.reauthenticationMethods({})).data
    await api.reauthenticate({ passkey: await askForPasskey(passkey_options ?? {}) })
    onAnswer(true)
  }
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
          {(takesPassword || takesCode) && (
            <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
              Confirm
            </Button>
          )}
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">
          {ways?.methods.length === 0
            ? 'To continue, sign out and sign in again.'
            : ways === undefined || ways.methods.join(' ') === 'password'
              ? 'Enter your password to continue.'
              : 'Continue with one of these.'}{' '}
          You are asked again after 15 minutes.
        </p>
        <FormFailure form={form} />
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {takesPasskey && <PasskeyButton label="Use a passkey" onUse={confirmWithPasskey} />}
        {has('oidc') && instance?.oidc != null && (
          <ProviderWindowButton
            label={`Sign in with ${instance.oidc} again`}
            purpose="proof"
            begin={() => api.beginOidcProof({})}
            onDone={async () => onAnswer(true)}
          />
        )}
        {takesPassword && (
          <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
        )}
        {takesCode && (
          <TextField
            label="Code"
            hint={has('totp') ? CODE_HINT : 'One of your recovery codes.'}
            isOptional={takesPassword}
            autoComplete="one-time-code"
            {...form.text('code')}
          />
        )}
      </Form>
    </Dialog>
  )
}
