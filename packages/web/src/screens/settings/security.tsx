import { useQueries, useQuery } from '@tanstack/react-query'
import type { Session } from '@waymark/sdk'
import { Laptop, Smartphone } from 'lucide-react'
import { useState } from 'react'
import {
  emailStatusQuery,
  identitiesQuery,
  instanceQuery,
  secondFactorsQuery,
  securityEventsQuery,
  sessionsQuery,
} from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Card, Skeletons } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'
import { PasswordRules } from '../auth/password-rules.tsx'
import { countryName } from '../link/rules/rule-words.ts'
import { Identities } from './identities.tsx'
import { SecondFactor } from './second-factor.tsx'
import { Protection, RecentEvents } from './security-events.tsx'
import { browserName } from './browser-name.ts'

const queries = [
  instanceQuery,
  secondFactorsQuery,
  emailStatusQuery,
  identitiesQuery,
  sessionsQuery,
  securityEventsQuery,
] as const

/**
 * The cards appear together: a later one would move the button that the user is about to click. They are there from the
 * beginning, because a card that is added later loads again what has failed.
 */
export function SecuritySettings() {
  const isPending = useQueries({ queries }).some((query) => query.isPending)
  const [isShown, setIsShown] = useState(!isPending)
  if (!isPending && !isShown) setIsShown(true)
  return (
    <>
      {!isShown && <Skeletons count={3} className="h-40" />}
      <div hidden={!isShown} className="space-y-6">
        <Protection />
        <PasswordForm />
        <SecondFactor />
        <Identities />
        <Sessions />
        <RecentEvents />
      </div>
    </>
  )
}

const empty = { old_password: '', password: '', confirm_password: '' }

function PasswordForm() {
  const { data: factors } = useQuery(secondFactorsQuery)
  const { data: instance } = useQuery(instanceQuery)
  if (factors?.password === false && instance?.password_sign_in === false) return null
  if (factors?.password === false)
    return (
      <Card
        title="Password"
        lead="Your account has no password. To set one, sign out and choose “Forgot your password?”. Keep API keys and webhooks there to keep your linked identities as well."
      >
        {null}
      </Card>
    )
  return <PasswordChange />
}

function PasswordChange() {
  const form = useForm(empty, async (values) => {
    const { message } = await api.updatePassword(values)
    void queryClient.invalidateQueries({ queryKey: ['sessions'] })
    toast.news(message)
    return empty
  })
  return (
    <Card title="Password" lead="Changing your password signs out all other sessions. API keys keep working.">
      <Form form={form} className="max-w-md space-y-5">
        <FormFailure form={form} />
        <PasswordField
          label="Current password"
          autoComplete="current-password"
          {...form.text('old_password')}
        />
        <div>
          <PasswordField label="New password" autoComplete="new-password" {...form.text('password')} />
          <PasswordRules password={form.values.password} />
        </div>
        <PasswordField
          label="Confirm password"
          autoComplete="new-password"
          {...form.text('confirm_password')}
        />
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          Change password
        </Button>
      </Form>
    </Card>
  )
}

function Sessions() {
  const query = useQuery(sessionsQuery)
  return (
    <Card title="Sessions" lead="Browsers that are signed in to your account.">
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      <ul className="divide-y divide-line">
        {query.data?.map((session) => (
          <SessionRow key={session.uuid} session={session} />
        ))}
      </ul>
    </Card>
  )
}

function SessionRow({ session }: { readonly session: Session }) {
  const [isBusy, setIsBusy] = useState(false)
  const isPhone = /mobile|android|iphone/i.test(session.user_agent ?? '')
  const Icon = isPhone ? Smartphone : Laptop
  const end = async (): Promise<void> => {
    setIsBusy(true)
    try {
      toast.news((await api.removeSession({ uuid: session.uuid })).message)
      await queryClient.invalidateQueries({ queryKey: ['sessions'] })
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Icon aria-hidden size={20} className="text-faint" />
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{browserName(session.user_agent)}</p>
        <p className="text-sm text-muted">
          {session.current ? 'This session' : `Last used ${ago(session.last_used_at)}`}, signed in{' '}
          {ago(session.created_at)}
          {session.country !== null && ` from ${countryName(session.country)}`}
        </p>
      </div>
      {!session.current && (
        <Button isBusy={isBusy} onClick={() => void end()}>
          Sign out
        </Button>
      )}
    </li>
  )
}
