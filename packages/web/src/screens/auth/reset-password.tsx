import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

export function ResetPassword() {
  const { token } = useSearch({ from: '/reset-password' })
  const navigate = useNavigate()
  // Only an address that was confirmed before may keep them; an unusable token says so when the form is sent.
  const { data: reset } = useQuery({
    queryKey: ['reset', token],
    queryFn: async ({ signal }) => (await api.checkReset({ token: token ?? '' }, { signal })).data,
  })
  const form = useForm({ password: '', confirm_password: '', keep_keys: false }, async (values) => {
    const answer = await api.resetPassword({ ...values, token: token ?? '' })
    toast.news(answer.message)
    await navigate({ to: '/sign-in' })
  })
  const { token: tokenFaults } = form.faults
  return (
    <AuthFrame
      title="Choose a new password"
      lead="This signs out all sessions, revokes all API keys and disables all webhooks."
      foot={
        <Link to="/forgot-password" className="font-semibold text-brand underline underline-offset-2">
          Request a new link
        </Link>
      }
    >
      <Form form={form} className="space-y-5">
        {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
        <FormFailure form={form} />
        <div>
          <PasswordField label="New password" autoComplete="new-password" {...form.text('password')} />
          <PasswordRules password={form.values.password} />
        </div>
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          {...form.text('confirm_password')}
        />
        {reset?.can_keep_keys === true && (
          <SwitchField
            label="Keep API keys and webhooks"
            hint="Only if you are sure that no one else has used your account."
            isOn={form.values.keep_keys}
            onToggle={(isOn) => form.set('keep_keys', isOn)}
          />
        )}
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Set password
        </Button>
      </Form>
    </AuthFrame>
  )
}
