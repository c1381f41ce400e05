import { SYMBOLOGY_NAMES, SYMBOLOGIES, type Symbology } from '@waymark/codes/barcodes'
import { SelectField } from '../../ui/choices.tsx'

/** When to use each kind. */
const USES: Readonly<Record<Symbology, string>> = {
  code128: 'Any text. For labels, parcels and shelves; every scanner reads it.',
  datamatrix: 'Any text, in the smallest space. For small items; phones and camera scanners read it.',
  pdf417: 'Long texts. For tickets, ID cards and shipping papers.',
  aztec: 'Any text, without a margin. For tickets on phone screens.',
  ean13: '13 digits. For goods in shops worldwide; needs a number from GS1.',
  ean8: '8 digits. For goods too small for EAN-13.',
  upca: '12 digits. For goods in shops in North America.',
  itf14: '14 digits. For cartons and pallets, also on corrugated board.',
  code39: 'Capital letters, digits and - . $ / + %. For labels in industry and older scanners.',
  'gs1-128': 'Application identifiers of GS1, such as (01)09506000134352(10)AB12. For cartons and logistics.',
  'gs1-datamatrix': 'Application identifiers of GS1 in the smallest space. For medicines and fresh food.',
}

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
      options={SYMBOLOGIES.map((kind) => ({ value: kind, label: SYMBOLOGY_NAMES[kind] }))}
      hint={USES[value]}
      faults={faults}
    />
  )
}
