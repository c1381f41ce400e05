import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Confirms an address with the token of a mail. It takes a click: programs that scan mails open links too. */
export function ConfirmEmail() {
  const { token } = useSearch({ from: '/confirm-email' })
  const [message, setMessage] = useState<string | null>(null)
  const form = useForm({}, async () => setMessage((await api.confirmEmail({ token: token ?? '' })).message))
  const { token: tokenFaults } = form.faults
  return (
    <AuthFrame title="Confirm your email address" lead="This unlocks API keys, domains and webhooks.">
      {message === null ? (
        <Form form={form} className="space-y-5">
          {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
          <FormFailure form={form} />
          <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
            Confirm email address
          </Button>
        </Form>
      ) : (
        <div className="space-y-5">
          <Notice kind="info">{message}</Notice>
          <ButtonLink to="/" look="primary">
            Go to the dashboard
          </ButtonLink>
        </div>
      )}
    </AuthFrame>
  )
}
