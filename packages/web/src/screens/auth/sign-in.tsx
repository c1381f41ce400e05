import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { canUsePasskeys } from '../../api/passkeys.ts'
import { signInWithProvider } from '../../shell/oidc.ts'
import { PasskeyButton, ProviderButton } from '../../shell/passkey-button.tsx'
import { useSignInSteps } from '../../shell/sign-in-steps.ts'
import { beginSession, type LeaveReason } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { SecondStepForm } from './second-step.tsx'

const reasons: Record<LeaveReason, string> = {
  ended: 'Your session has ended. Sign in to continue where you were.',
  elsewhere: 'You signed out in another tab. Sign in to continue where you were.',
}

export function SignIn() {
  const navigate = useNavigate()
  const { next, reason } = useSearch({ from: '/sign-in' })
  const { data: instance } = useQuery(instanceQuery)
  const steps = useSignInSteps()
  const [expired, setExpired] = useState<string | null>(null)
  const enter = async (profile: Awaited<ReturnType<typeof steps.signInWithPasskey>>): Promise<void> => {
    beginSession(profile)
    await navigate({ href: next ?? '/' })
  }
  const form = useForm({ email: '', password: '' }, async (values) => {
    setExpired(null)
    const profile = await steps.signIn({ ...values, code: '' })
    if (profile !== null) await enter(profile)
  })
  const startOver = (message?: string): void => {
    setExpired(message ?? null)
    steps.startOver()
  }
  const enterWithPasskey = async (): Promise<void> => enter(await steps.signInWithPasskey())
  if (steps.needsCode) return <SecondStepForm steps={steps} enter={enter} onLeave={startOver} />
  const takesPassword = instance?.password_sign_in !== false
  return (
    <AuthFrame
      title="Welcome back"
      lead="Sign in to manage your links, codes and pages."
      foot={
        !takesPassword ? undefined : instance?.signup === 'closed' ? (
          'Sign-up is closed. Ask the administrator of this server for an account.'
        ) : (
          <>
            New here?{' '}
            <Link to="/sign-up" className="font-semibold text-brand underline underline-offset-2">
              Create an account
            </Link>
          </>
        )
      }
    >
      <Form form={form} className="space-y-5">
        {expired !== null && <Notice kind="warn">{expired}</Notice>}
        {reason !== undefined && <Notice kind="info">{reasons[reason]}</Notice>}
        <FormFailure form={form} />
        {takesPassword && (
          <>
            <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.text('email')} />
            <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
            <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
              Sign in
            </Button>
          </>
        )}
        {instance?.oidc != null && (
          <ProviderButton
            label={`Sign in with ${instance.oidc}`}
            look={takesPassword ? 'plain' : 'primary'}
            onUse={() => signInWithProvider(next)}
          />
        )}
        {canUsePasskeys(instance) && <PasskeyButton label="Use a passkey" onUse={enterWithPasskey} />}
        {takesPassword && (
          <p className="text-center text-sm">
            <Link to="/forgot-password" className="font-semibold text-brand underline underline-offset-2">
              Forgot your password?
            </Link>
          </p>
        )}
      </Form>
    </AuthFrame>
  )
}
