import type { OperationName } from '@waymark/sdk'
import type { ReactNode } from 'react'
import { useMay, useRoleReason } from '../api/workspaces.ts'
import { Notice } from './notice.tsx'

/** Shows its children only to users whose role allows the operation that they lead to. */
export function May({ does, children }: { readonly does: OperationName; readonly children: ReactNode }) {
  return useMay()(does) ? children : null
}

/** The title of an empty list. Viewers cannot create the first one. */
export const useEmptyTitle = (does: OperationName, what: string, search?: string): string => {
  const may = useMay()
  if (search !== undefined) return `No matching ${what}s`
  return may(does) ? `Create your first ${what}` : `No ${what}s yet`
}

/** Says why something is missing or cannot be changed, for users whose role does not allow it. */
export function RoleNotice({ does, lead }: { readonly does: OperationName; readonly lead: string }) {
  const may = useMay()
  const reason = useRoleReason(does)
  return may(does) ? null : (
    <Notice kind="info">
      {lead} {reason}
    </Notice>
  )
}

/** Fields that are read-only for users whose role does not allow the operation, with the reason. */
export function MayEdit({
  does,
  lead,
  children,
}: {
  readonly does: OperationName
  readonly lead: string
  readonly children: ReactNode
}) {
  const may = useMay()
  return (
    <>
      <RoleNotice does={does} lead={lead} />
      <fieldset disabled={!may(does)} className="min-w-0 space-y-6">
        {children}
      </fieldset>
    </>
  )
}
