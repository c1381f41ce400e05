import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { instanceQuery, profileQuery } from '../api/account.ts'
import { api } from '../api/client.ts'
import { canUsePasskeys } from '../api/passkeys.ts'
import { queryClient } from '../api/query-client.ts'
import { FormFailure } from '../forms/form-failure.tsx'
import { Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { focusField, TextField } from '../ui/field.tsx'
import { PasswordField } from '../ui/password-field.tsx'
import { PasskeyButton, ProviderWindowButton } from './passkey-button.tsx'
import { forgetSession } from './session.ts'
import { useSignInSteps } from './sign-in-steps.ts'

/** Asks for the password over the current screen when the session has ended while there is unsaved work. */
export function SignInAgainDialog({ onAnswer }: { readonly onAnswer: (isSignedIn: boolean) => void }) {
  const formId = useId()
  const email = queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''
  const { data: instance } = useQuery(instanceQuery)
  const steps = useSignInSteps()
  const takesPassword = instance?.password_sign_in !== false
  const goOn = (profile: Awaited<ReturnType<typeof steps.signInWithPasskey>>): void => {
    // A passkey, or the provider, may sign in to another account.
    if (profile.email !== email) return location.reload()
    queryClient.setQueryData(profileQuery.queryKey, profile)
    onAnswer(true)
    void queryClient.invalidateQueries()
  }
  const form = useForm({ password: '', code: '' }, async (values) => {
    const profile = await steps.signIn({ email, ...values })
    if (profile !== null) goOn(profile)
  })
  const usePasskey = async (): Promise<void> => goOn(await steps.signInWithPasskey())
  const leave = (): void => {
    onAnswer(false)
    forgetSession()
  }
  return (
    <Dialog
      isOpen
      onClose={() => onAnswer(false)}
      title="Sign in to continue"
      footer={
        <>
          <Button look="ghost" onClick={leave}>
            Use another account
          </Button>
          {(steps.needsCode ? steps.takesCode : takesPassword) && (
            <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
              Sign in
            </Button>
          )}
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">
          Your session has ended. Sign in again as <strong className="text-ink">{email}</strong>. Your changes
          are still here and will be saved.
        </p>
        <FormFailure form={form} />
        {/* Password managers look for the account beside the password. */}
        <input type="hidden" name="username" autoComplete="username" value={email} readOnly />
        {steps.takesPasskey && <PasskeyButton label="Use a passkey" onUse={usePasskey} />}
        {steps.takesCode && (
          <div ref={focusField}>
            <TextField
              label="Code"
              hint={steps.codeHint}
              autoComplete="one-time-code"
              {...form.text('code')}
            />
          </div>
        )}
        {!steps.needsCode && (
          <>
            {instance?.oidc != null && (
              <ProviderWindowButton
                label={`Sign in with ${instance.oidc}`}
                purpose="sign-in"
                begin={() => api.beginOidc({})}
                onDone={async () => goOn((await api.profile({})).data)}
              />
            )}
            {takesPassword && (
              <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
            )}
            {canUsePasskeys(instance) && <PasskeyButton label="Use a passkey" onUse={usePasskey} />}
          </>
        )}
      </Form>
    </Dialog>
  )
}
