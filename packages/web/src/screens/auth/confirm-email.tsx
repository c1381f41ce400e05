import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'

/** Uses the token of a mail. It requires a click, because programs that scan mails open links, too. */
function UseToken({
  title,
  lead,
  label,
  send,
  next,
}: {
  readonly title: string
  readonly lead: string
  /** Label of the button. */
  readonly label: string
  readonly send: () => Promise<{ readonly message: string }>
  /** The next step. */
  readonly next: ReactNode
}) {
  const [message, setMessage] = useState<string | null>(null)
  const form = useForm({}, async () => setMessage((await send()).message))
  const { token: tokenFaults } = form.faults
  return (
    <AuthFrame title={title} lead={lead}>
      {message === null ? (
        <Form form={form} className="space-y-5">
          {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
          <FormFailure form={form} />
          <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
            {label}
          </Button>
        </Form>
      ) : (
        <div className="space-y-5">
          <Notice kind="info">{message}</Notice>
          {next}
        </div>
      )}
    </AuthFrame>
  )
}

export function ConfirmEmail() {
  const { token = '' } = useSearch({ from: '/confirm-email' })
  return (
    <UseToken
      title="Confirm your email address"
      lead="This unlocks API keys, domains and webhooks."
      label="Confirm email address"
      send={() => api.confirmEmail({ token })}
      next={
        <ButtonLink to="/" look="primary">
          Go to the dashboard
        </ButtonLink>
      }
    />
  )
}

export function CancelEmailChange() {
  const { token = '' } = useSearch({ from: '/cancel-email-change' })
  return (
    <UseToken
      title="Keep your email address"
      lead="If you did not request the change, cancel it and set a new password: someone knows the current one."
      label="Cancel the change"
      send={() => api.cancelEmailChange({ token })}
      next={
        <ButtonLink to="/forgot-password" look="primary">
          Set a new password
        </ButtonLink>
      }
    />
  )
}
