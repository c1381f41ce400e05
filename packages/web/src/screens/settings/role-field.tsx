import { type Role, roles } from '@waymark/contract'
import { useId } from 'react'
import { useWorkspace } from '../../api/workspaces.ts'

const meanings: Record<Role, string> = {
  viewer: 'Sees links, codes, pages and statistics, and can export them.',
  editor: 'Also creates, edits and removes links, codes and pages.',
  admin: 'Also manages members, API keys, access tokens, domains and webhooks.',
  owner: 'Also sees plan and invoices, and can remove the workspace.',
}

export const roleNames: Record<Role, string> = {
  viewer: 'Viewer',
  editor: 'Editor',
  admin: 'Admin',
  owner: 'Owner',
}

/** The roles that the user can assign: only owners can make others owners. */
export function useGrantableRoles(): readonly Role[] {
  const isOwner = useWorkspace()?.role === 'owner'
  return isOwner ? roles : roles.filter((role) => role !== 'owner')
}

/** A choice of roles with their rights. */
export function RoleField({
  value,
  onValue,
}: {
  readonly value: Role
  readonly onValue: (role: Role) => void
}) {
  const name = useId()
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">Role</legend>
      <div className="divide-y divide-line overflow-hidden rounded-md border border-line-strong">
        {useGrantableRoles().map((role) => (
          <label key={role} className="flex items-start gap-3 px-3 py-2.5 has-checked:bg-brand-soft">
            <input
              type="radio"
              aria-label={`${roleNames[role]}. ${meanings[role]}`}
              name={name}
              className="mt-1 size-4 shrink-0 accent-brand"
              checked={role === value}
              onChange={() => onValue(role)}
            />
            <span className="text-sm">
              <span className="font-semibold">{roleNames[role]}</span>
              <span className="block text-muted">{meanings[role]}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
