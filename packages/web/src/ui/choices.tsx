import { type ReactNode, useId } from 'react'
import { classes } from './classes.ts'
import { Field, type FieldFrame } from './field.tsx'

interface Option<T extends string> {
  readonly value: T
  readonly label: string
}

export function SelectField<T extends string>({
  value,
  onValue,
  options,
  ...frame
}: FieldFrame & {
  readonly value: T
  readonly onValue: (value: T) => void
  readonly options: readonly Option<T>[]
}) {
  return (
    <Field {...frame}>
      {(control) => (
        <select
          {...control}
          className="input"
          value={value}
          onChange={(event) => onValue(event.target.value as T)}
        >
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** A few choices side by side, all visible. */
export function Segments<T extends string>({
  label,
  value,
  onValue,
  options,
  hasHiddenLabel = false,
}: {
  readonly label: string
  readonly value: T
  readonly onValue: (value: T) => void
  readonly options: readonly (Option<T> & { readonly picture?: ReactNode })[]
  readonly hasHiddenLabel?: boolean
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className={hasHiddenLabel ? 'sr-only' : 'mb-1.5 text-sm font-semibold'}>{label}</legend>
      <div className="inline-flex max-w-full flex-wrap gap-0.5 rounded-md bg-sunken p-0.5 ring-1 ring-line ring-inset">
        {options.map((option) => (
          <label
            key={option.value}
            className={classes(
              'flex min-h-9 items-center gap-1.5 rounded-[6px] px-3 pt-0.5 text-sm font-semibold transition-colors has-focus-visible:outline-2 has-focus-visible:outline-brand',
              option.value === value ? 'bg-surface text-ink shadow-sm' : 'text-muted hover:text-ink',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            {option.picture}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export function SwitchField({
  label,
  hint,
  isOn,
  onToggle,
  isDisabled = false,
}: {
  readonly label: string
  readonly hint?: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  readonly isDisabled?: boolean
}) {
  const id = useId()
  return (
    <div className="flex items-start justify-between gap-4">
      <div>
        <label htmlFor={id} className="text-sm font-semibold">
          {label}
        </label>
        {hint !== undefined && (
          <p id={`${id}-hint`} className="text-sm text-faint">
            {hint}
          </p>
        )}
      </div>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch mt-0.5"
        checked={isOn}
        disabled={isDisabled}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={(event) => onToggle(event.target.checked)}
      />
    </div>
  )
}

export function SliderField({
  value,
  onValue,
  min,
  max,
  step = 1,
  unit = '',
  ...frame
}: FieldFrame & {
  readonly value: number
  readonly onValue: (value: number) => void
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly unit?: string
}) {
  return (
    <Field {...frame}>
      {(control) => (
        <div className="flex items-center gap-3">
          <input
            {...control}
            type="range"
            className="slider"
            {...{ min, max, step, value }}
            onChange={(event) => onValue(event.target.valueAsNumber)}
          />
          <output className="w-16 shrink-0 text-right font-mono text-sm text-muted tabular">
            {value}
            {unit}
          </output>
        </div>
      )}
    </Field>
  )
}
