import { SwitchField } from '../../ui/choices.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { TextField } from '../../ui/field.tsx'

/** The binding of a text field. */
interface Bound {
  readonly name: string
  readonly value: string
  readonly onValue: (value: string) => void
  readonly faults: readonly string[] | undefined
}

/** The destination of a code. */
export function UrlField({ field }: { readonly field: Bound }) {
  return (
    <TextField
      label="URL"
      type="url"
      placeholder="https://example.com"
      autoFocus={field.value === ''}
      {...field}
    />
  )
}

/** Whether a code uses its own short link. */
export function DynamicField({
  isOn,
  onToggle,
  also = '',
}: {
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
  /** Further benefits. */
  readonly also?: string
}) {
  return (
    <SwitchField
      label="Dynamic"
      hint={`Encodes a short link to your URL. ${also}You can change the URL after printing, and scans are counted. Off: the code holds the URL itself, works without this server and counts nothing.`}
      isOn={isOn}
      onToggle={onToggle}
    />
  )
}

const BLACK = '#000000'

/** The colour of a code or caption; black if it is cleared. */
export function InkField({
  label,
  value,
  onValue,
  against,
  faults,
}: {
  readonly label: string
  readonly value: string
  readonly onValue: (color: string) => void
  readonly against: string
  readonly faults: readonly string[] | undefined
}) {
  return (
    <ColorField
      label={label}
      value={value}
      onValue={(color) => onValue(color === '' ? BLACK : color)}
      against={against}
      faults={faults}
    />
  )
}
