import { Eye, EyeOff } from 'lucide-react'
import { type InputHTMLAttributes, useState } from 'react'
import { Field, type FieldFrame } from './field.tsx'

type Props = FieldFrame & {
  readonly value: string
  readonly onValue: (value: string) => void
} & Pick<InputHTMLAttributes<HTMLInputElement>, 'autoComplete' | 'name' | 'autoFocus' | 'placeholder'>

/** A password that can be shown while it is typed. */
export function PasswordField({
  value,
  onValue,
  autoComplete,
  name,
  autoFocus,
  placeholder,
  ...frame
}: Props) {
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field {...frame}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            {...{ autoComplete, name, value, placeholder }}
            autoFocus={autoFocus}
            type={isShown ? 'text' : 'password'}
            className="input pr-11"
            onChange={(event) => onValue(event.target.value)}
          />
          <button
            type="button"
            aria-pressed={isShown}
            aria-label="Show password"
            title="Show password"
            onClick={() => setIsShown(!isShown)}
            className="absolute inset-y-0 right-1 grid w-9 place-items-center text-faint hover:text-ink"
          >
            <Icon aria-hidden size={17} />
          </button>
        </div>
      )}
    </Field>
  )
}
