import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
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
import { AuthFrame } from './auth-frame.tsx'
import { PasswordRules } from './password-rules.tsx'

type Invited = Awaited<ReturnType<typeof api.checkInvitation>>['data']

const abilities: Record<Invited['role'], string> = {
  viewer: 'see its links, codes, pages and statistics',
  editor: 'create and edit links, codes and pages',
  admin: 'manage links, codes, pages, members and API keys',
  owner: 'manage everything, including plan and invoices',
}

/** Where the link of an invitation leads. */
export function Invitation() {
  const { token = '' } = useSearch({ from: '/invitation' })
  const invited = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => (await api.checkInvitation({ token }, { signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const profile = useQuery(profileQuery)
  if (invited.isError) return <NotValid error={invited.error} />
  if (invited.data === undefined || profile.isPending)
    return (
      <AuthFrame title="Invitation" lead="One moment…">
        <Skeletons count={2} className="h-12" />
      </AuthFrame>
    )
  if (profile.isError && !isSignedOut(profile.error)) return <NotValid error={profile.error} />
  return profile.data === undefined ? (
    <Join token={token} invited={invited.data} />
  ) : (
    <Accept token={token} invited={invited.data} email={profile.data.email} />
  )
}

function NotValid({ error }: { readonly error: unknown }) {
  return (
    <AuthFrame title="This invitation does not work" lead={sentenceOf(error)}>
      <p className="mb-6 text-muted">
        An invitation works once, within 7 days, and can be withdrawn. The person who invited you can create a
        new one under Settings, Members.
      </p>
      <ButtonLink to="/" look="primary">
        Go to the dashboard
      </ButtonLink>
    </AuthFrame>
  )
}

function Invited({ invited, children }: { readonly invited: Invited; readonly children: ReactNode }) {
  const { workspace, role, invited_by } = invited
  return (
    <AuthFrame
      title={`Join ${workspace}`}
      sign={workspace}
      lead={`${invited_by ?? 'A member'} invited you as ${role}. You will be able to ${abilities[role]}.`}
    >
      {children}
    </AuthFrame>
  )
}

/** Accepts the invitation and opens Home in the workspace. */
function useAccept(token: string): () => Promise<void> {
  const navigate = useNavigate()
  return async () => {
    const { data } = await api.acceptInvitation({ token })
    await joinWorkspace(data.uuid)
    await navigate({ to: '/' })
    toast.news(`You have joined ${data.name}`)
  }
}

/** For someone who is signed in, with whatever account. */
function Accept({
  token,
  invited,
  email,
}: {
  readonly token: string
  readonly invited: Invited
  readonly email: string
}) {
  const accept = useAccept(token)
  const [isLeaving, setIsLeaving] = useState(false)
  const form = useForm({}, accept)
  const isOther = invited.email.toLowerCase() !== email.toLowerCase()
  const change = async (): Promise<void> => {
    setIsLeaving(true)
    await signOut()
    location.reload()
  }
  return (
    <Invited invited={invited}>
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        {isOther && (
          <Notice kind="info">
            The invitation was sent to {invited.email}, and you are signed in as {email}. If you accept,{' '}
            {email} becomes the member.
          </Notice>
        )}
        <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
          Accept as {email}
        </Button>
        <Button look="ghost" isBusy={isLeaving} onClick={() => void change()} className="w-full">
          Use another account
        </Button>
      </Form>
    </Invited>
  )
}

/** For someone who is not signed in: a new account, or the way to sign in and back. */
function Join({ token, invited }: { readonly token: string; readonly invited: Invited }) {
  const accept = useAccept(token)
  const { data: instance } = useQuery(instanceQuery)
  const form = useForm({ email: invited.email, password: '', first_name: '' }, async (values) => {
    const { data } = await api.signUp({
      ...values,
      first_name: orNull(values.first_name),
      invitation: token,
    })
    beginSession(data)
    markSignedIn(data.email)
    await accept()
  })
  const next = `/invitation?token=${encodeURIComponent(token)}`
  return (
    <Invited invited={invited}>
      <div className="space-y-5">
        <Form form={form} className="space-y-5">
          <FormFailure form={form} />
          <TextField label="First name" isOptional autoComplete="given-name" {...form.text('first_name')} />
          <TextField label="Email" type="email" autoComplete="username" {...form.text('email')} />
          <div>
            <PasswordField label="Password" autoComplete="new-password" {...form.text('password')} />
            <PasswordRules password={form.values.password} />
          </div>
          <Button look="primary" type="submit" isBusy={form.isBusy} className="min-h-11 w-full">
            Create account and join
          </Button>
        </Form>
        <p className="text-center text-sm text-muted">
          Have an account{instance === undefined ? '' : ` on ${new URL(instance.base_url).host}`}?{' '}
          <Link
            to="/sign-in"
            search={{ next }}
            className="font-semibold text-brand underline underline-offset-2"
          >
            Sign in to accept
          </Link>
        </p>
      </div>
    </Invited>
  )
}
