import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { filled } from '@waymark/page/load-language'
import type { Workspace } from '@waymark/sdk'
import { type ReactNode, useState } from 'react'
import { instanceQuery, profileQuery } from '../../api/account.ts'
import { api, isSignedOut, sentenceOf } from '../../api/client.ts'
import { joinWorkspace } from '../../api/workspaces.ts'
import { orNull } from '../../forms/or-null.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { beginSession, markSignedIn, signOut } from '../../shell/session.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { Skeletons } from '../../ui/screen.tsx'
import { AuthFrame, type SpokenProps } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

type Invited = Awaited<ReturnType<typeof api.checkInvitation>>['data']

/** The target of an invitation's link. */
export function Invitation(spoken: SpokenProps) {
  const { invitation } = spoken.words
  const { token = '' } = useSearch({ from: '/invitation' })
  const invited = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => (await api.checkInvitation({ token }, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const profile = useQuery(profileQuery)
  if (invited.isError) return <NotValid {...spoken} error={invited.error} />
  if (invited.data === undefined || profile.isPending)
    return (
      <AuthFrame {...frameOf(spoken)} title={invitation.title} lead={invitation.wait}>
        <Skeletons count={2} className="h-12" />
      </AuthFrame>
    )
  if (profile.isError && !isSignedOut(profile.error)) return <NotValid {...spoken} error={profile.error} />
  return profile.data === undefined ? (
    <Join {...spoken} token={token} invited={invited.data} />
  ) : (
    <Accept {...spoken} token={token} invited={invited.data} email={profile.data.email} />
  )
}

function NotValid({ error, ...spoken }: SpokenProps & { readonly error: unknown }) {
  const { invitation } = spoken.words
  return (
    <AuthFrame {...frameOf(spoken)} title={invitation.invalid} lead={sentenceOf(error)}>
      <p className="mb-6 text-muted">{invitation.invalidHint}</p>
      <ButtonLink to="/" look="primary">
        {invitation.dashboard}
      </ButtonLink>
    </AuthFrame>
  )
}

function Invited({
  invited,
  children,
  ...spoken
}: SpokenProps & { readonly invited: Invited; readonly children: ReactNode }) {
  const { workspace, role, invited_by } = invited
  const { invitation } = spoken.words
  return (
    <AuthFrame
      {...frameOf(spoken)}
      title={filled(invitation.join, { workspace })}
      sign={workspace}
      lead={filled(invitation[role], { name: invited_by ?? invitation.member })}
    >
      {children}
    </AuthFrame>
  )
}

const frameOf = ({ words, language }: SpokenProps) => ({ language, noThirdParties: words.noThirdParties })

/** Opens Home in the workspace that the user has joined. */
function useEnter(): (workspace: Pick<Workspace, 'uuid' | 'name'>) => Promise<void> {
  const navigate = useNavigate()
  return async ({ uuid, name }) => {
    await joinWorkspace(uuid)
    await navigate({ to: '/' })
    toast.news(`You have joined ${name}`)
  }
}

/** For a signed-in user with any account. */
function Accept({
  token,
  invited,
  email,
  ...spoken
}: SpokenProps & {
  readonly token: string
  readonly invited: Invited
  readonly email: string
}) {
  const { invitation } = spoken.words
  const enter = useEnter()
  const [isLeaving, setIsLeaving] = useState(false)
  const form = useForm({}, async () => enter((await api.acceptInvitation({ token })).data))
  const isOther = invited.email.toLowerCase() !== email.toLowerCase()
  const change = async (): Promise<void> => {
    setIsLeaving(true)
    await signOut()
    location.reload()
  }
  return (
    <Invited {...spoken} invited={invited}>
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        {isOther && (
          <Notice kind="info">{filled(invitation.otherAccount, { invited: invited.email, email })}</Notice>
        )}
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          {filled(invitation.accept, { email })}
        </Button>
        <Button look="ghost" isBusy={isLeaving} onClick={() => void change()} className="w-full">
          {invitation.useOther}
        </Button>
      </Form>
    </Invited>
  )
}

/** For a signed-out user: a new account, or signing in and coming back. */
function Join({
  token,
  invited,
  ...spoken
}: SpokenProps & { readonly token: string; readonly invited: Invited }) {
  const { invitation } = spoken.words
  const enter = useEnter()
  const { data: instance } = useQuery(instanceQuery)
  const form = useForm({ email: invited.email, password: '', first_name: '' }, async (values) => {
    const { data } = await api.signUp({
      ...values,
      first_name: orNull(values.first_name),
      invitation: token,
    })
    beginSession(data)
    markSignedIn(data.email)
    // The user's own workspace is the first one, and the joined one the other.
    const joined = (await api.workspaces({})).data.at(-1)
    if (joined !== undefined) await enter(joined)
  })
  const next = `/invitation?token=${encodeURIComponent(token)}`
  return (
    <Invited {...spoken} invited={invited}>
      <div className="space-y-5">
        {instance?.password_sign_in !== false && (
          <Form form={form} className="space-y-5">
            <FormFailure form={form} />
            <TextField label={invitation.firstName} autoComplete="given-name" {...form.text('first_name')} />
            <TextField
              label={invitation.email}
              type="email"
              autoComplete="username"
              {...form.text('email')}
            />
            <div>
              <PasswordField
                label={invitation.password}
                autoComplete="new-password"
                {...form.text('password')}
              />
              <PasswordRules password={form.values.password} words={spoken.words.passwordRules} />
            </div>
            <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
              {invitation.action}
            </Button>
          </Form>
        )}
        <p className="text-center text-sm text-muted">
          {filled(invitation.haveAccount, { host: new URL(instance?.base_url ?? location.origin).host })}{' '}
          <Link
            to="/sign-in"
            search={{ next }}
            className="font-semibold text-brand underline underline-offset-2"
          >
            {invitation.signIn}
          </Link>
        </p>
      </div>
    </Invited>
  )
}
