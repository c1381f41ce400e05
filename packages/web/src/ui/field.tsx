import { withoutControls } from '@waymark/contract'
import { type InputHTMLAttributes, type ReactNode, type TextareaHTMLAttributes, useId } from 'react'
import { classes } from './classes.ts'

/** The attributes that connect a control with its label, hint and errors. */
export interface ControlProps {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': true | undefined
}

export interface FieldFrame {
  readonly label: ReactNode
  readonly hint?: ReactNode
  readonly faults?: readonly string[] | undefined
  readonly isOptional?: boolean
  readonly hasHiddenLabel?: boolean
  readonly className?: string
}

/** Label, control, hint, and the server's messages below the control. */
export function Field({
  label,
  hint,
  faults = [],
  isOptional = false,
  hasHiddenLabel = false,
  className,
  children,
}: FieldFrame & { readonly children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const isInvalid = faults.length > 0
  const described = [isInvalid && `${id}-fault`, hint !== undefined && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className={classes('min-w-0', className)}>
      <label
        htmlFor={id}
        className={hasHiddenLabel ? 'sr-only' : 'mb-1.5 flex items-baseline gap-2 text-sm font-semibold'}
      >
        {label}
        {isOptional && <span className="text-xs font-normal text-faint">optional</span>}
      </label>
      {children({
        id,
        'aria-describedby': described === '' ? undefined : described,
        'aria-invalid': isInvalid || undefined,
      })}
      {isInvalid && (
        <p id={`${id}-fault`} className="mt-1.5 text-sm font-medium text-danger">
          {faults.join('. ')}
        </p>
      )}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-faint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** Use as `ref` of a field's container: focuses the field when it appears. Browsers apply `autofocus` once per document. */
export const focusField = (element: HTMLElement | null): void => element?.querySelector('input')?.focus()

type TextProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
  readonly prefix?: string
} & Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange' | 'className' | 'prefix'>

/** Whether a field is for text, whose direction depends on its script. URLs and numbers are always left to right. */
const isProse = (type: string | undefined): boolean => type === undefined || type === 'text'

export function TextField({
  label,
  hint,
  faults,
  isOptional,
  hasHiddenLabel,
  className,
  onValue,
  prefix,
  ...rest
}: TextProps) {
  return (
    <Field {...{ label, hint, faults, isOptional, hasHiddenLabel, className }}>
      {(control) => (
        <div className={prefix === undefined ? undefined : 'flex'}>
          {prefix !== undefined && (
            <span className="flex max-w-[55%] shrink-0 items-center overflow-hidden rounded-l-md border border-r-0 border-line-strong bg-sunken px-3 font-mono text-sm text-ellipsis whitespace-nowrap text-muted">
              {prefix}
            </span>
          )}
          <input
            type="text"
            dir={isProse(rest.type) ? 'auto' : undefined}
            {...rest}
            {...control}
            className={classes('input', prefix !== undefined && 'min-w-0 rounded-l-none')}
            // Browsers remove line breaks from pasted text, and keep tabs and other control characters.
            onChange={({ target: { value } }) =>
              onValue(isProse(rest.type) ? withoutControls(value, ' ') : value)
            }
          />
        </div>
      )}
    </Field>
  )
}

type AreaProps = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
} & Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, 'value' | 'onChange' | 'className'>

export function TextArea({
  label,
  hint,
  faults,
  isOptional,
  hasHiddenLabel,
  className,
  onValue,
  ...rest
}: AreaProps) {
  return (
    <Field {...{ label, hint, faults, isOptional, hasHiddenLabel, className }}>
      {(control) => (
        <textarea
          dir="auto"
          rows={3}
          {...rest}
          {...control}
          className="input"
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  )
}
