import { redirect, useLoaderData, useNavigate, useSearch } from '@tanstack/react-router'
import { WaymarkError } from '@waymark/sdk'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { announceReturn, closeOwnWindow, purposeOf, setPendingLink, takeNext } from '../../shell/oidc.ts'
import { beginSession } from '../../shell/session.ts'
import { type SecondStep, useSignInSteps } from '../../shell/sign-in-steps.ts'
import { ownPath } from '../../ui/addresses.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AuthFrame } from './auth-frame.tsx'
import { SecondStepForm } from './second-step.tsx'

type Outcome = Awaited<ReturnType<typeof api.signIn>>['data']

const enterSession = (profile: Exclude<Outcome, SecondStep>): void => {
  beginSession(profile)
  announceReturn('sign-in')
  closeOwnWindow()
}

const endProof = (failure: string | null): void => {
  announceReturn('proof', failure)
  closeOwnWindow()
}

interface Returned {
  readonly next?: string | undefined
  readonly step?: SecondStep
  readonly failure?: unknown
}

/** Passes on the response of the OpenID provider. Runs once, before the screen is shown. */
export async function completeReturn(query: string): Promise<Returned> {
  const purpose = purposeOf(query)
  const next = ownPath(takeNext())
  try {
    if (purpose === 'proof') {
      await api.reauthenticate({ oidc: query })
      endProof(null)
      return {}
    }
    if (purpose === 'sign-in') {
      const { data } = await api.signInWithOidc({ query })
      if ('challenge' in data) return { next, step: data }
      enterSession(data)
    } else setPendingLink(query)
  } catch (failure) {
    if (purpose === 'proof') endProof(sentenceOf(failure))
    else announceReturn(purpose, sentenceOf(failure))
    return { next, failure }
  }
  // oxlint-disable-next-line typescript/only-throw-error -- the router API requires it
  throw redirect({ href: purpose === 'link' ? '/settings?tab=security' : (next ?? '/'), replace: true })
}

/** The page that the OpenID provider redirects to. */
export function OidcReturn() {
  const { next, step, failure } = useLoaderData({ from: '/oidc' }) as Returned
  if (step !== undefined) return <Begun step={step} next={next} />
  if (failure === undefined)
    return (
      <AuthFrame title="Confirmed" lead="You can close this window.">
        {null}
      </AuthFrame>
    )
  if (failure instanceof WaymarkError && failure.code === 'identity_unknown')
    return (
      <AuthFrame
        title="Sign in and link it"
        lead="This identity is not linked to an account. If you have one, sign in another way and link the identity under Settings, Security."
      >
        <ButtonLink to="/sign-in" search={{ next: '/settings?tab=security' }} look="primary">
          Sign in
        </ButtonLink>
      </AuthFrame>
    )
  return (
    <AuthFrame title="This did not work" lead={sentenceOf(failure)}>
      <ButtonLink to="/sign-in" search={{ next }} look="primary">
        Back to sign in
      </ButtonLink>
    </AuthFrame>
  )
}

/** The target of the link of `waymark user sign-in-link`. It requires a click, because programs that scan messages open links. */
export function SignInLink() {
  const { token = '' } = useSearch({ from: '/sign-in-link' })
  const navigate = useNavigate()
  const [step, setStep] = useState<SecondStep | null>(null)
  const form = useForm({}, async () => {
    const { data } = await api.signInWithLink({ token })
    if ('challenge' in data) return setStep(data)
    enterSession(data)
    await navigate({ to: '/' })
  })
  const { token: tokenFaults } = form.faults
  if (step !== null) return <Begun step={step} next={undefined} />
  return (
    <AuthFrame title="Sign in" lead="This link works once.">
      <Form form={form} className="space-y-5">
        {tokenFaults !== undefined && <Notice kind="danger">{tokenFaults.join('. ')}</Notice>}
        <FormFailure form={form} />
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Sign in
        </Button>
      </Form>
    </AuthFrame>
  )
}

/** A sign-in whose first step was not the password. */
function Begun({ step, next }: { readonly step: SecondStep; readonly next: string | undefined }) {
  const navigate = useNavigate()
  const steps = useSignInSteps(step)
  return (
    <SecondStepForm
      steps={steps}
      enter={async (profile) => {
        enterSession(profile)
        await navigate({ href: next ?? '/' })
      }}
      onLeave={() => void navigate({ to: '/sign-in' })}
    />
  )
}
