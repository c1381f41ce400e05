import { Link, type LinkComponentProps } from '@tanstack/react-router'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'

type Look = 'primary' | 'plain' | 'ghost' | 'danger' | 'quiet-danger'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly icon?: LucideIcon
  readonly isBusy?: boolean
}

export function Button({
  look = 'plain',
  icon: Icon,
  isBusy = false,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      aria-busy={isBusy || undefined}
      disabled={rest.disabled === true || isBusy}
      className={classes('button', `button-${look}`, className)}
    >
      {isBusy ? (
        <LoaderCircle aria-hidden size={16} className="animate-spin" />
      ) : (
        Icon !== undefined && <Icon aria-hidden size={16} className="shrink-0" />
      )}
      {children}
    </button>
  )
}

interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  readonly label: string
  readonly icon: LucideIcon
}

/** An icon-only button. Its label is the tooltip and the accessible name. */
export function IconButton({
  label,
  icon: Icon,
  look = 'ghost',
  className,
  isBusy = false,
  ...rest
}: IconButtonProps) {
  const Shown = isBusy ? LoaderCircle : Icon
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      className={classes('button button-icon', `button-${look}`, className)}
    >
      <Shown aria-hidden size={17} className={isBusy ? 'animate-spin' : undefined} />
    </button>
  )
}

interface ButtonLinkProps {
  readonly look?: Look
  readonly icon?: LucideIcon
  readonly children: ReactNode
  readonly className?: string
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  look = 'plain',
  icon: Icon,
  children,
  className,
  ...rest
}: ButtonLinkProps & Pick<LinkComponentProps, 'to' | 'params' | 'search'>) {
  return (
    <Link {...rest} className={classes('button', `button-${look}`, className)}>
      {Icon !== undefined && <Icon aria-hidden size={16} className="shrink-0" />}
      {children}
    </Link>
  )
}
