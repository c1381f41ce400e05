import { Check, Circle } from 'lucide-react'
import { lengthOf } from '../../ui/numbers.ts'

const english = {
  label: 'Password requirements',
  length: 'at least 8 characters',
  lower: 'lowercase letter',
  upper: 'uppercase letter',
  digit: 'number',
  symbol: 'symbol',
}

const rules: readonly {
  name: Exclude<keyof typeof english, 'label'>
  holds: (password: string) => boolean
}[] = [
  { name: 'length', holds: (password) => lengthOf(password) >= 8 },
  { name: 'lower', holds: (password) => /\p{Ll}/u.test(password) },
  { name: 'upper', holds: (password) => /\p{Lu}/u.test(password) },
  { name: 'digit', holds: (password) => /\p{Nd}/u.test(password) },
  { name: 'symbol', holds: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
]

/** The server's password rules, checked while typing. The server still validates the password. */
export function PasswordRules({
  password,
  words = english,
}: {
  readonly password: string
  readonly words?: Readonly<typeof english>
}) {
  return (
    <ul aria-label={words.label} className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {rules.map(({ name, holds }) => {
        const isMet = holds(password)
        const Icon = isMet ? Check : Circle
        return (
          <li
            key={name}
            className={
              isMet
                ? 'flex items-center gap-1 font-semibold text-brand'
                : 'flex items-center gap-1 text-faint'
            }
          >
            <Icon aria-hidden size={isMet ? 14 : 9} strokeWidth={3} className={isMet ? '' : 'mx-0.5'} />
            <span className="pt-0.5">{words[name]}</span>
            {isMet && <span className="sr-only">, met</span>}
          </li>
        )
      })}
    </ul>
  )
}
