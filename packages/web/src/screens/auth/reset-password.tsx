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
import { AuthFrame, type SpokenProps } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

export function ResetPassword({ words, language }: SpokenProps) {
  const { reset: texts } = words
  const { token } = useSearch({ from: '/reset-password' })
  const navigate = useNavigate()
  // Only an address that was confirmed before can keep them; an invalid token is reported when the form is sent.
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
      title={texts.title}
      lead={texts.lead}
      language={language}
      noThirdParties={words.noThirdParties}
      foot={
        <Link to="/forgot-password" className="font-semibold text-brand underline underline-offset-2">
          {texts.requestLink}
        </Link>
      }
    >
      <Form form={form} className="space-y-5">
        {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
        <FormFailure form={form} />
        <div>
          <PasswordField label={texts.newPassword} autoComplete="new-password" {...form.text('password')} />
          <PasswordRules password={form.values.password} words={words.passwordRules} />
        </div>
        <PasswordField
          label={texts.confirmPassword}
          autoComplete="new-password"
          {...form.text('confirm_password')}
        />
        {reset?.can_keep_keys === true && (
          <SwitchField
            label={texts.keepKeys}
            hint={texts.keepKeysHint}
            isOn={form.values.keep_keys}
            onToggle={(isOn) => form.set('keep_keys', isOn)}
          />
        )}
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          {texts.action}
        </Button>
      </Form>
    </AuthFrame>
  )
}
