import { WaymarkError } from '@waymark/sdk'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { PasskeyButton } from '../../shell/passkey-button.tsx'
import type { useSignInSteps } from '../../shell/sign-in-steps.ts'
import { Button } from '../../ui/button.tsx'
import { focusField, TextField } from '../../ui/field.tsx'
import { AuthFrame } from './auth-frame.tsx'

type Steps = ReturnType<typeof useSignInSteps>
type Profile = Awaited<ReturnType<Steps['signInWithPasskey']>>

/** Asks for the second factor of a sign-in that has begun. */
export function SecondStepForm({
  steps,
  enter,
  onLeave,
}: {
  readonly steps: Steps
  readonly enter: (profile: Profile) => Promise<void>
  /** Starts again: with another account, or because the sign-in has expired, as the message says. */
  readonly onLeave: (message?: string) => void
}) {
  const form = useForm({ code: '' }, async ({ code }) => {
    try {
      await enter(await steps.verify({ code }))
    } catch (error) {
      if (error instanceof WaymarkError && error.code === 'challenge_invalid') onLeave(error.message)
      throw error
    }
  })
  return (
    <AuthFrame
      title={steps.takesCode ? 'Enter your code' : 'Use your passkey'}
      lead="Your account has two-step sign-in."
    >
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        {steps.takesPasskey && (
          <PasskeyButton label="Use a passkey" onUse={async () => enter(await steps.signInWithPasskey())} />
        )}
        {steps.takesCode && (
          <>
            <div ref={focusField}>
              <TextField
                label="Code"
                hint={steps.codeHint}
                autoComplete="one-time-code"
                {...form.text('code')}
              />
            </div>
            <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
              Sign in
            </Button>
          </>
        )}
        <Button look="ghost" onClick={() => onLeave()} className="w-full">
          Use another account
        </Button>
      </Form>
    </AuthFrame>
  )
}
