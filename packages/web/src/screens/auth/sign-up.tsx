import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { orNull } from '../../forms/or-null.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { beginSession, openFirstSteps } from '../../shell/session.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

export function SignUp() {
  const { data: instance } = useQuery(instanceQuery)
  const isClosed = instance?.signup === 'closed' || instance?.password_sign_in === false
  return isClosed ? <Closed /> : <SignUpForm />
}

function Closed() {
  return (
    <AuthFrame title="Sign-up is closed" lead="Ask the administrator of this server for an account.">
      <ButtonLink to="/sign-in" look="primary">
        Go to sign in
      </ButtonLink>
    </AuthFrame>
  )
}

function SignUpForm() {
  const navigate = useNavigate()
  const form = useForm({ email: '', password: '', first_name: '' }, async (values) => {
    const answer = await api.signUp({ ...values, first_name: orNull(values.first_name) })
    beginSession(answer.data)
    openFirstSteps(answer.data.email)
    await navigate({ to: '/' })
  })
  return (
    <AuthFrame
      title="Create your account"
      lead="Short links, QR codes, barcodes and landing pages, with statistics that do not track individuals."
      foot={
        <>
          Have an account?{' '}
          <Link to="/sign-in" className="font-semibold text-brand underline underline-offset-2">
            Sign in
          </Link>
        </>
      }
    >
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        <TextField label="First name" isOptional autoComplete="given-name" {...form.text('first_name')} />
        <TextField label="Email" type="email" autoComplete="username" {...form.text('email')} />
        <div>
          <PasswordField label="Password" autoComplete="new-password" {...form.text('password')} />
          <PasswordRules password={form.values.password} />
        </div>
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Create account
        </Button>
      </Form>
    </AuthFrame>
  )
}
