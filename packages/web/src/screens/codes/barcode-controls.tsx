import type { useForm } from '../../forms/use-form.ts'
import { Segments, SelectField, SliderField, SwitchField } from '../../ui/choices.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/screen.tsx'
import type { BarcodeValues } from './barcode-form.ts'

type BarcodeFormState = ReturnType<typeof useForm<BarcodeValues>>

const symbologies = [
  { value: 'code128', label: 'Code 128: linear, for any scanner' },
  { value: 'datamatrix', label: 'Data Matrix: smallest, for small items' },
  { value: 'pdf417', label: 'PDF417: stacked, for tickets and IDs' },
  { value: 'aztec', label: 'Aztec: needs no margin, for phone screens' },
  { value: 'ean13', label: 'EAN-13: 13 digits, for goods' },
  { value: 'ean8', label: 'EAN-8: 8 digits, for small goods' },
  { value: 'upca', label: 'UPC-A: 12 digits, for goods in North America' },
  { value: 'itf14', label: 'ITF-14: 14 digits, for cartons' },
  { value: 'code39', label: 'Code 39: capital letters and digits, for labels' },
] as const

export function BarcodeControls({ form }: { readonly form: BarcodeFormState }) {
  const { values, set, faults } = form
  return (
    <>
      <Card title="Content">
        <div className="space-y-5">
          <Segments
            label="Encodes"
            value={values.content}
            onValue={(content) => set('content', content)}
            options={[
              { value: 'url', label: 'Link' },
              { value: 'value', label: 'Product number or text' },
            ]}
          />
          {values.content === 'url' ? (
            <TextField
              label="URL"
              type="url"
              placeholder="https://example.com"
              autoFocus={values.url === ''}
              {...form.text('url')}
            />
          ) : (
            <TextField label="Text or number" {...form.text('value')} />
          )}
          <SelectField
            label="Barcode type"
            value={values.symbology}
            onValue={(symbology) => set('symbology', symbology)}
            options={symbologies}
            faults={faults['symbology']}
          />
          {values.content === 'url' && (
            <SwitchField
              label="Dynamic"
              hint="Encodes a short link. The barcode is narrower, scans are counted, and you can change the destination after printing."
              isOn={values.dynamic}
              onToggle={(isOn) => set('dynamic', isOn)}
            />
          )}
          <TextField label="Description" isOptional {...form.text('description')} />
        </div>
      </Card>
      <Card title="Design">
        <div className="space-y-6">
          <div className="grid gap-5 sm:grid-cols-2">
            <SliderField
              label="Bar height"
              min={10}
              max={300}
              unit=" px"
              value={values.size}
              onValue={(size) => set('size', size)}
              faults={faults['size']}
            />
            <ColorField
              label="Colour"
              value={values.color}
              onValue={(color) => set('color', color === '' ? '#000000' : color)}
              against="#ffffff"
              faults={faults['color']}
            />
          </div>
          <TextField label="Caption" isOptional maxLength={50} {...form.text('text')} />
          {values.text !== '' && (
            <div className="grid gap-5 sm:grid-cols-2">
              <SliderField
                label="Caption size"
                min={10}
                max={80}
                unit=" px"
                value={values.text_size}
                onValue={(size) => set('text_size', size)}
                faults={faults['text_size']}
              />
              <ColorField
                label="Caption colour"
                value={values.text_color}
                onValue={(color) => set('text_color', color === '' ? '#000000' : color)}
                against="#ffffff"
                faults={faults['text_color']}
              />
              <Segments
                label="Caption position"
                value={values.text_position}
                onValue={(position) => set('text_position', position)}
                options={[
                  { value: 'bottom', label: 'Below' },
                  { value: 'top', label: 'Above' },
                ]}
              />
            </div>
          )}
        </div>
      </Card>
    </>
  )
}
