import type { AccessToken } from '@waymark/sdk'
import type { ReactNode } from 'react'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ago, dayOf } from '../../ui/times.ts'
import { limitsOf } from './access-fields.tsx'

type Row = Pick<AccessToken, 'scopes' | 'allowed_addresses' | 'expires_at' | 'created_at' | 'last_used_at'>

const hasExpired = ({ expires_at }: Row, nowMs = Date.now()): boolean =>
  expires_at !== null && Date.parse(expires_at) <= nowMs

/** A key or access token in its list. */
export function AccessRow({
  name,
  row,
  creator,
  limits = limitsOf(row),
  onRevoke,
  children,
}: {
  readonly name: string
  readonly row: Row
  /** The name of the member who created it. */
  readonly creator: string | undefined
  /** Its rights, if they are limited. */
  readonly limits?: readonly string[]
  readonly onRevoke: () => void
  readonly children?: ReactNode
}) {
  const isExpired = hasExpired(row)
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-3 first:pt-0 last:pb-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold wrap-anywhere">
          {name} {isExpired && <Badge look="warn">Expired</Badge>}
        </p>
        {children}
        {limits.length > 0 && <p className="text-sm wrap-anywhere text-muted">{limits.join('; ')}</p>}
        <p className="text-sm text-faint">
          Created {dayOf(row.created_at)}
          {creator !== undefined && ` by ${creator}`},{' '}
          {row.last_used_at === null ? 'never used' : `last used ${ago(row.last_used_at)}`}
          {row.expires_at !== null && `, ${isExpired ? 'expired' : 'expires'} ${dayOf(row.expires_at)}`}
        </p>
      </div>
      <Button look="quiet-danger" aria-label={`Revoke ${name}`} onClick={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}
