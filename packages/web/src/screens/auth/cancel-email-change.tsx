import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Cancels a change of the email address with the token of a mail. It takes a click, as a confirmation does. */
export function CancelEmailChange() {
  const { token } = useSearch({ from: '/cancel-email-change' })
  const [message, setMessage] = useState<string | null>(null)
  const form = useForm({}, async () =>
    setMessage((await api.cancelEmailChange({ token: token ?? '' })).message),
  )
  const { token: tokenFaults } = form.faults
  return (
    <AuthFrame
      title="Keep your email address"
      lead="If you did not request the change, cancel it and set a new password: someone knows the current one."
    >
      {message === null ? (
        <Form form={form} className="space-y-5">
          {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
          <FormFailure form={form} />
          <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
            Cancel the change
          </Button>
        </Form>
      ) : (
        <div className="space-y-5">
          <Notice kind="info">{message}</Notice>
          <ButtonLink to="/forgot-password" look="primary">
            Set a new password
          </ButtonLink>
        </div>
      )}
    </AuthFrame>
  )
}
