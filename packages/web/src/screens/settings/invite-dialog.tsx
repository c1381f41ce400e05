import { useQuery } from '@tanstack/react-query'
import type { Role } from '@waymark/contract'
import { useId, useState } from 'react'
import { instanceQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { membersChanged } from '../../api/members.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RoleField } from './role-field.tsx'
import { ShownOnce } from './shown-once.tsx'

type Made = Awaited<ReturnType<typeof api.inviteMember>>['data']

const EMPTY: { readonly email: string; readonly role: Role } = { email: '', role: 'editor' }

/** Invites someone, then shows the link, which is not shown again. */
export function InviteDialog({ onClose }: { readonly onClose: () => void }) {
  const formId = useId()
  const [made, setMade] = useState<Made | null>(null)
  const form = useForm(EMPTY, async (values) => {
    setMade((await api.inviteMember(values)).data)
    void membersChanged()
  })
  if (made !== null) return <InvitationLink made={made} onClose={onClose} />
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invite member"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
            Create invitation
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <FormFailure form={form} />
        <TextField
          label="Email"
          type="email"
          placeholder="grace@example.com"
          autoComplete="off"
          {...form.text('email')}
        />
        <RoleField value={form.values.role} onValue={(role) => form.set('role', role)} />
      </Form>
    </Dialog>
  )
}

function InvitationLink({ made, onClose }: { readonly made: Made; readonly onClose: () => void }) {
  const { data: instance } = useQuery(instanceQuery)
  const [isStored, setIsStored] = useState(false)
  const isMailed = instance?.mail === true
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Invitation created"
      isLocked={!isStored && !isMailed}
      footer={
        <Button look="primary" onClick={onClose}>
          {isStored || isMailed ? 'Done' : 'I have stored it'}
        </Button>
      }
    >
      <div className="space-y-5">
        {isMailed ? (
          <p className="text-muted">
            The link was mailed to <strong className="text-ink">{made.email}</strong>. You can also send it
            yourself.
          </p>
        ) : (
          <p className="text-muted">
            Send this link to <strong className="text-ink">{made.email}</strong>. This server sends no mail.
          </p>
        )}
        <Notice kind="warn">Copy the link now. It is not shown again.</Notice>
        <ShownOnce label="Invitation link" value={made.invite_url} onCopied={() => setIsStored(true)} />
        <p className="text-sm text-muted">
          It works once within 7 days, for any account that opens it. Send it to this person only.
        </p>
      </div>
    </Dialog>
  )
}
