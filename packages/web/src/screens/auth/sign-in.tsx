import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { instanceQuery } from '../../api/account.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { canUsePasskeys } from '../../api/passkeys.ts'
import { PasskeyButton } from '../../shell/passkey-button.tsx'
import { useSignInSteps } from '../../shell/sign-in-steps.ts'
import { beginSession, type LeaveReason } from '../../shell/session.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { AuthFrame } from './auth-frame.tsx'

const reasons: Record<LeaveReason, string> = {
  ended: 'Your session has ended. Sign in to continue where you were.',
  elsewhere: 'You signed out in another tab. Sign in to continue where you were.',
}

export function SignIn() {
  const navigate = useNavigate()
  const { next, reason } = useSearch({ from: '/sign-in' })
  const { data: instance } = useQuery(instanceQuery)
  const steps = useSignInSteps()
  const enter = async (profile: Awaited<ReturnType<typeof steps.signInWithPasskey>>): Promise<void> => {
    beginSession(profile)
    await navigate({ href: next ?? '/' })
  }
  const form = useForm({ email: '', password: '', code: '' }, async (values) => {
    const profile = await steps.signIn(values)
    if (profile !== null) await enter(profile)
  })
  const enterWithPasskey = async (): Promise<void> => enter(await steps.signInWithPasskey())
  if (steps.needsCode)
    return (
      <AuthFrame
        title={steps.takesCode ? 'Enter your code' : 'Use your passkey'}
        lead="Your account has two-step sign-in."
      >
        <Form form={form} className="space-y-5">
          <FormFailure form={form} />
          {steps.takesPasskey && <PasskeyButton label="Use a passkey" onUse={enterWithPasskey} />}
          {steps.takesCode && (
            <>
              <TextField
                label="Code"
                hint={steps.codeHint}
                autoComplete="one-time-code"
                autoFocus
                {...form.text('code')}
              />
              <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
                Sign in
              </Button>
            </>
          )}
          <Button look="ghost" onClick={steps.startOver} className="w-full">
            Use another account
          </Button>
        </Form>
      </AuthFrame>
    )
  return (
    <AuthFrame
      title="Welcome back"
      lead="Sign in to manage your links, codes and pages."
      foot={
        instance?.signup === 'closed' ? (
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
        {reason !== undefined && <Notice kind="info">{reasons[reason]}</Notice>}
        <FormFailure form={form} />
        <TextField label="Email" type="email" autoComplete="username" autoFocus {...form.text('email')} />
        <PasswordField label="Password" autoComplete="current-password" {...form.text('password')} />
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Sign in
        </Button>
        {canUsePasskeys(instance) && <PasskeyButton label="Use a passkey" onUse={enterWithPasskey} />}
        <p className="text-center text-sm">
          <Link to="/forgot-password" className="font-semibold text-brand underline underline-offset-2">
            Forgot your password?
          </Link>
        </p>
      </Form>
    </AuthFrame>
  )
}
