import type { ReactNode } from 'react'
import { classes } from './classes.ts'

const looks = {
  plain: 'bg-sunken text-muted ring-line-strong',
  good: 'bg-brand-soft text-brand ring-transparent',
  warn: 'bg-warn-soft text-warn ring-transparent',
  danger: 'bg-danger-soft text-danger ring-transparent',
}

/** A short label for a state. */
export function Badge({
  look = 'plain',
  title,
  children,
}: {
  readonly look?: keyof typeof looks
  readonly title?: string | undefined
  readonly children: ReactNode
}) {
  return (
    <span
      title={title}
      className={classes(
        'inline-block shrink-0 rounded-sm px-1.5 pt-0.5 text-xs font-semibold whitespace-nowrap ring-1 ring-inset',
        looks[look],
      )}
    >
      {children}
    </span>
  )
}
