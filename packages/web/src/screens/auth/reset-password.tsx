import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

export function ResetPassword() {
  const { token } = useSearch({ from: '/reset-password' })
  const navigate = useNavigate()
  const form = useForm({ password: '', confirm_password: '' }, async (values) => {
    const answer = await api.resetPassword({ ...values, token: token ?? '' })
    toast.news(answer.message)
    await navigate({ to: '/sign-in' })
  })
  const { token: tokenFaults } = form.faults
  return (
    <AuthFrame
      title="Choose a new password"
      lead="All open sessions will be signed out."
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
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Set password
        </Button>
      </Form>
    </AuthFrame>
  )
}
