import { contrastRatio, MIN_CONTRAST } from '@waymark/codes'
import { useState } from 'react'
import { Field, type FieldFrame } from './field.tsx'

const FULL = /^#[0-9a-f]{6}$/i
const ANY = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** `#rrggbb`, the format of the browser's picker. */
const whole = (color: string): string =>
  ANY.test(color) && color.length === 4 ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color

const shownRatio = (ratio: number): string => (Math.floor(ratio * 10) / 10).toFixed(1)

/** A colour by picker or hex value, with its contrast to the background. */
export function ColorField({
  value,
  onValue,
  against,
  least = MIN_CONTRAST,
  placeholder,
  ...frame
}: FieldFrame & {
  readonly value: string
  readonly onValue: (color: string) => void
  /** The colour to compute the contrast against. */
  readonly against?: string | undefined
  readonly least?: number
  /** Shown when the value is empty. */
  readonly placeholder?: string
}) {
  // The typed text while it is not a valid colour.
  const [draft, setDraft] = useState<string | null>(null)
  const stand = placeholder !== undefined && FULL.test(placeholder) ? placeholder : '#ffffff'
  const shown = FULL.test(whole(value)) ? whole(value) : stand
  const ratio =
    against !== undefined && ANY.test(against) && FULL.test(shown) ? contrastRatio(shown, against) : undefined
  return (
    <Field {...frame}>
      {(control) => (
        <div className="flex items-center gap-2">
          <input
            type="color"
            aria-label={`${typeof frame.label === 'string' ? frame.label : 'Colour'}, picker`}
            className={`h-10 w-11 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1 ${value === '' ? 'border-dashed opacity-60' : ''}`}
            value={shown.toLowerCase()}
            onChange={(event) => onValue(event.target.value)}
          />
          <input
            {...control}
            type="text"
            spellCheck={false}
            className="input min-w-0 flex-1 font-mono text-sm"
            value={draft ?? value}
            placeholder={placeholder}
            maxLength={7}
            onChange={(event) => {
              setDraft(event.target.value)
              const color = event.target.value.trim()
              if (ANY.test(color) || color === '') onValue(color === '' ? '' : whole(color).toLowerCase())
            }}
            onBlur={() => setDraft(null)}
          />
          {ratio !== undefined && (
            <span
              title={`Contrast ${shownRatio(ratio)}:1. At least ${least}:1 is needed.`}
              className={`w-13 shrink-0 text-right font-mono text-xs font-semibold ${ratio >= least ? 'text-brand' : 'text-danger'}`}
            >
              <span className="sr-only">Contrast </span>
              {shownRatio(ratio)}:1
            </span>
          )}
        </div>
      )}
    </Field>
  )
}
