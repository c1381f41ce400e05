import { SYMBOLOGIES, symbologies, type Symbology } from '@waymark/codes/barcodes'
import { SelectField } from '../../ui/choices.tsx'

export function SymbologyField({
  value,
  onValue,
  faults,
}: {
  readonly value: Symbology
  readonly onValue: (symbology: Symbology) => void
  readonly faults: readonly string[] | undefined
}) {
  return (
    <SelectField
      label="Barcode type"
      value={value}
      onValue={onValue}
      options={SYMBOLOGIES.map((kind) => ({ value: kind, label: symbologies[kind].name }))}
      hint={`${symbologies[value].use} At most ${symbologies[value].longest} characters.`}
      faults={faults}
    />
  )
}
