import { Check, Circle } from 'lucide-react'
import { lengthOf } from '../../ui/numbers.ts'

const rules: readonly { label: string; holds: (password: string) => boolean }[] = [
  { label: 'at least 8 characters', holds: (password) => lengthOf(password) >= 8 },
  { label: 'lowercase letter', holds: (password) => /\p{Ll}/u.test(password) },
  { label: 'uppercase letter', holds: (password) => /\p{Lu}/u.test(password) },
  { label: 'number', holds: (password) => /\p{Nd}/u.test(password) },
  { label: 'symbol', holds: (password) => /[^\p{L}\p{N}\s]/u.test(password) },
]

/** The server's password rules, checked while typing. The server still validates the password. */
export function PasswordRules({ password }: { readonly password: string }) {
  return (
    <ul aria-label="Password requirements" className="mt-2 flex flex-wrap gap-x-4 gap-y-1 text-sm">
      {rules.map(({ label, holds }) => {
        const isMet = holds(password)
        const Icon = isMet ? Check : Circle
        return (
          <li
            key={label}
            className={
              isMet
                ? 'flex items-center gap-1 font-semibold text-brand'
                : 'flex items-center gap-1 text-faint'
            }
          >
            <Icon aria-hidden size={isMet ? 14 : 9} strokeWidth={3} className={isMet ? '' : 'mx-0.5'} />
            <span className="pt-0.5">{label}</span>
            {isMet && <span className="sr-only">, met</span>}
          </li>
        )
      })}
    </ul>
  )
}
