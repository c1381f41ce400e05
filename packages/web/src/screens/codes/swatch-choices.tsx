import { type ReactNode, useId } from 'react'
import { classes } from '../../ui/classes.ts'

interface SwatchChoice<T extends string> {
  readonly value: T
  readonly label: string
  readonly picture: ReactNode
}

/** Choices that differ visually: each with a picture, and its name below. */
export function SwatchChoices<T extends string>({
  label,
  value,
  onValue,
  choices,
}: {
  readonly label: string
  readonly value: T | null
  readonly onValue: (value: T) => void
  readonly choices: readonly SwatchChoice<T>[]
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="grid grid-cols-3 gap-2 sm:grid-cols-6">
        {choices.map((choice) => (
          <label
            key={choice.value}
            className={classes(
              'flex min-w-0 cursor-pointer flex-col items-center gap-1 rounded-lg border px-1.5 pt-2 pb-1 text-center text-xs font-semibold wrap-anywhere transition-colors has-focus-visible:outline-2 has-focus-visible:outline-brand',
              choice.value === value
                ? 'border-brand text-ink ring-1 ring-brand'
                : 'border-line-strong text-muted hover:border-brand',
            )}
          >
            <input
              type="radio"
              name={name}
              className="sr-only"
              checked={choice.value === value}
              onChange={() => onValue(choice.value)}
            />
            {choice.picture}
            {choice.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
