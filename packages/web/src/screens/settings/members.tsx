import { useQuery } from '@tanstack/react-query'
import { isAtLeast, type Role } from '@waymark/contract'
import type { Invitation, Member } from '@waymark/sdk'
import { MailPlus, UserPlus } from 'lucide-react'
import { useState } from 'react'
import { profileQuery } from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import {
  invitationsQuery,
  memberName,
  membersChanged,
  membersQuery,
  useMemberNames,
} from '../../api/members.ts'
import { useWorkspace } from '../../api/workspaces.ts'
import { toast } from '../../shell/toasts.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { Failure, Loaded } from '../../ui/failure.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago, dayOf } from '../../ui/times.ts'
import { InviteDialog } from './invite-dialog.tsx'
import { LeaveButton } from './leave-workspace.tsx'
import { roleNames, useGrantableRoles } from './role-field.tsx'

export function MemberSettings() {
  const query = useQuery(membersQuery)
  const workspace = useWorkspace()
  const [isInviting, setIsInviting] = useState(false)
  const [removed, setRemoved] = useState<Member | null>(null)
  return (
    <>
      <Card
        title="Members"
        lead={`People who can work in ${workspace?.name ?? 'this workspace'}.`}
        aside={
          <Button look="primary" icon={UserPlus} onClick={() => setIsInviting(true)}>
            Invite member
          </Button>
        }
      >
        <Loaded query={query} skeleton="h-16">
          {(members) => (
            <ul className="divide-y divide-line">
              {members.map((member) => (
                <MemberRow
                  key={member.uuid}
                  member={member}
                  isLastOwner={
                    member.role === 'owner' && members.filter(({ role }) => role === 'owner').length === 1
                  }
                  onRemove={() => setRemoved(member)}
                />
              ))}
            </ul>
          )}
        </Loaded>
      </Card>
      <Invitations onInvite={() => setIsInviting(true)} />
      {isInviting && <InviteDialog onClose={() => setIsInviting(false)} />}
      {removed !== null && <RemoveMember member={removed} onClose={() => setRemoved(null)} />}
    </>
  )
}

function MemberRow({
  member,
  isLastOwner,
  onRemove,
}: {
  readonly member: Member
  readonly isLastOwner: boolean
  readonly onRemove: () => void
}) {
  const { data: profile } = useQuery(profileQuery)
  const workspace = useWorkspace()
  const [isBusy, setIsBusy] = useState(false)
  const name = memberName(member)
  const isSelf = member.email === profile?.email
  const canChange = workspace !== undefined && (member.role !== 'owner' || isAtLeast(workspace.role, 'owner'))
  const setRole = async (role: Role): Promise<void> => {
    setIsBusy(true)
    try {
      toast.news((await api.editMember({ uuid: member.uuid, role })).message)
      await membersChanged()
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <Avatar name={name} image={null} size={36} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="font-semibold wrap-anywhere">
          {name} {isSelf && <Badge>You</Badge>}
        </p>
        <p className="text-sm wrap-anywhere text-muted">
          {member.email === name ? '' : `${member.email}, `}joined {dayOf(member.created_at)}
        </p>
      </div>
      <RoleSelect
        member={member}
        reason={
          !canChange
            ? 'Only an owner can change the role of an owner.'
            : isLastOwner
              ? 'A workspace needs an owner. Make another member owner first.'
              : undefined
        }
        isBusy={isBusy}
        onRole={(role) => void setRole(role)}
      />
      <span className="flex w-24 justify-end">
        {isSelf ? (
          !isLastOwner && <LeaveButton />
        ) : (
          <Button
            look="quiet-danger"
            disabled={!canChange}
            title={canChange ? undefined : 'Only an owner can remove an owner.'}
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          >
            Remove
          </Button>
        )}
      </span>
    </li>
  )
}

function RoleSelect({
  member,
  reason,
  isBusy,
  onRole,
}: {
  readonly member: Member
  /** Why the role cannot be changed. */
  readonly reason: string | undefined
  readonly isBusy: boolean
  readonly onRole: (role: Role) => void
}) {
  const grantable = useGrantableRoles()
  if (reason !== undefined)
    return (
      <span title={reason} className="w-32 text-sm font-semibold text-muted sm:px-3">
        {roleNames[member.role]}
        <span className="sr-only">. {reason}</span>
      </span>
    )
  return (
    <fieldset disabled={isBusy} className="w-32">
      <SelectField
        label={`Role of ${memberName(member)}`}
        hasHiddenLabel
        value={member.role}
        onValue={onRole}
        options={grantable.map((value) => ({ value, label: roleNames[value] }))}
      />
    </fieldset>
  )
}

function RemoveMember({ member, onClose }: { readonly member: Member; readonly onClose: () => void }) {
  const [keepsKeys, setKeepsKeys] = useState(false)
  const name = memberName(member)
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Remove this member?"
      action="Remove member"
      onConfirm={async () => {
        toast.news((await api.removeMember({ uuid: member.uuid, keep_keys: keepsKeys })).message)
        await membersChanged()
      }}
    >
      <p>
        <strong className="text-ink">{name}</strong> can no longer open this workspace. Links, codes and pages
        stay.
      </p>
      <SwitchField
        label="Keep API keys and access tokens"
        hint={
          keepsKeys
            ? `Those that ${name} created keep working with the role ${roleNames[member.role]}. They belong to no user.`
            : `Those that ${name} created stop working at once.`
        }
        isOn={keepsKeys}
        onToggle={setKeepsKeys}
      />
    </Confirm>
  )
}

function Invitations({ onInvite }: { readonly onInvite: () => void }) {
  const query = useQuery(invitationsQuery)
  const [withdrawn, setWithdrawn] = useState<Invitation | null>(null)
  const nameOf = useMemberNames()
  return (
    <Card title="Invitations" lead="Links that were not accepted yet. Each works once within 7 days.">
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.data?.length === 0 && (
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2 text-muted">
          <MailPlus aria-hidden size={20} className="shrink-0" />
          No open invitations.
          <Button look="ghost" onClick={onInvite}>
            Invite member
          </Button>
        </p>
      )}
      <ul className="divide-y divide-line">
        {query.data?.map((invitation) => {
          const inviter = nameOf(invitation.created_by)
          return (
            <li
              key={invitation.uuid}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0"
            >
              <div className="min-w-0 flex-1 basis-48">
                <p className="font-semibold wrap-anywhere">{invitation.email}</p>
                <p className="text-sm text-muted">
                  {roleNames[invitation.role]}, {inviter === undefined ? 'invited' : `invited by ${inviter}`}{' '}
                  {ago(invitation.created_at)}, expires {ago(invitation.expires_at)}
                </p>
              </div>
              <Button
                look="quiet-danger"
                aria-label={`Withdraw the invitation of ${invitation.email}`}
                onClick={() => setWithdrawn(invitation)}
              >
                Withdraw
              </Button>
            </li>
          )
        })}
      </ul>
      <Confirm
        isOpen={withdrawn !== null}
        onClose={() => setWithdrawn(null)}
        title="Withdraw this invitation?"
        action="Withdraw"
        onConfirm={async () => {
          toast.news((await api.removeInvitation({ uuid: withdrawn?.uuid ?? '' })).message)
          await membersChanged()
        }}
      >
        <p>
          The link that was sent to <strong className="text-ink">{withdrawn?.email}</strong> stops working.
        </p>
      </Confirm>
    </Card>
  )
}
