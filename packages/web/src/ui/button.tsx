import { Link, type LinkComponentProps } from '@tanstack/react-router'
import type { OperationName } from '@waymark/sdk'
import { LoaderCircle, type LucideIcon } from 'lucide-react'
import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classes } from './classes.ts'
import { May } from './may.tsx'

type Look = 'primary' | 'plain' | 'ghost' | 'danger' | 'quiet-danger'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly look?: Look
  readonly icon?: LucideIcon
  readonly isBusy?: boolean
  /** The operation that it leads to. Users whose role does not allow it do not see the button. */
  readonly does?: OperationName | undefined
}

export function Button({ does, ...rest }: ButtonProps) {
  return does === undefined ? (
    <PlainButton {...rest} />
  ) : (
    <May does={does}>
      <PlainButton {...rest} />
    </May>
  )
}

function PlainButton({
  look = 'plain',
  icon: Icon,
  isBusy = false,
  children,
  className,
  ...rest
}: Omit<ButtonProps, 'does'>) {
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
export function IconButton({ does, ...rest }: IconButtonProps) {
  return does === undefined ? (
    <PlainIconButton {...rest} />
  ) : (
    <May does={does}>
      <PlainIconButton {...rest} />
    </May>
  )
}

function PlainIconButton({
  label,
  icon: Icon,
  look = 'ghost',
  className,
  isBusy = false,
  ...rest
}: Omit<IconButtonProps, 'does'>) {
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
  /** Like `does` of a button. */
  readonly does?: OperationName
}

/** A link to another screen that looks like a button. */
export function ButtonLink({
  does,
  look = 'plain',
  icon: Icon,
  children,
  className,
  ...rest
}: ButtonLinkProps & Pick<LinkComponentProps, 'to' | 'params' | 'search'>) {
  const link = (
    <Link {...rest} className={classes('button', `button-${look}`, className)}>
      {Icon !== undefined && <Icon aria-hidden size={16} className="shrink-0" />}
      {children}
    </Link>
  )
  return does === undefined ? link : <May does={does}>{link}</May>
}
