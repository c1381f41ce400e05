import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { AuthFrame } from './auth-frame.tsx'

const back = (
  <Link to="/sign-in" className="font-semibold text-brand underline underline-offset-2">
    Back to sign in
  </Link>
)

export function ForgotPassword() {
  const { data: instance } = useQuery(instanceQuery)
  if (instance?.password_sign_in === false)
    return (
      <AuthFrame
        title="Reset your password"
        lead="This server does not sign in with passwords. Ask its administrator for help."
        foot={back}
      >
        {null}
      </AuthFrame>
    )
  if (instance?.mail === false)
    return (
      <AuthFrame
        title="Reset your password"
        lead="This server does not send email. Ask its administrator for a link that sets a new password."
        foot={back}
      >
        <p className="text-sm text-muted">
          Administrators create the link with{' '}
          <code className="rounded-sm bg-sunken px-1.5 py-0.5 font-mono text-ink">
            waymark user reset-link --email …
          </code>
        </p>
      </AuthFrame>
    )
  return <ForgotPasswordForm />
}

function ForgotPasswordForm() {
  const [answer, setAnswer] = useState<string | null>(null)
  const form = useForm({ email: '' }, async (values) => setAnswer((await api.forgotPassword(values)).message))
  return (
    <AuthFrame
      title="Reset your password"
      lead="Enter your email address. We will send you a link to set a new password. The link works once."
      foot={back}
    >
      {answer === null ? (
        <Form form={form} className="space-y-5">
          <FormFailure form={form} />
          <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.text('email')} />
          <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
            Send link
          </Button>
        </Form>
      ) : (
        <div role="status" className="flex gap-3 rounded-lg bg-brand-soft p-4 text-brand-strong">
          <MailCheck aria-hidden className="shrink-0" />
          <p className="font-medium">{answer}</p>
        </div>
      )}
    </AuthFrame>
  )
}
