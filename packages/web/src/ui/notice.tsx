import { CircleAlert, Info, type LucideIcon, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { classes } from './classes.ts'

type Kind = 'danger' | 'warn' | 'info'

const looks: Record<Kind, { icon: LucideIcon; className: string }> = {
  danger: { icon: CircleAlert, className: 'bg-danger-soft text-danger' },
  warn: { icon: TriangleAlert, className: 'bg-warn-soft text-warn' },
  info: { icon: Info, className: 'bg-brand-soft text-brand-strong' },
}

/** A message beside its subject. */
export function Notice({
  kind,
  children,
  className,
}: {
  readonly kind: Kind
  readonly children: ReactNode
  readonly className?: string
}) {
  const { icon: Icon, className: look } = looks[kind]
  return (
    <div
      role={kind === 'danger' ? 'alert' : 'status'}
      className={classes(
        'flex items-start gap-2.5 rounded-md px-3 py-2.5 text-sm font-medium',
        look,
        className,
      )}
    >
      <Icon aria-hidden size={17} className="mt-px shrink-0" />
      <div className="min-w-0 pt-px wrap-anywhere">{children}</div>
    </div>
  )
}
