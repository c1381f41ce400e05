import type { useForm } from '../../forms/use-form.ts'
import { Segments, SliderField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'
import type { BarcodeValues } from './barcode-form.ts'
import { DynamicField, InkField, UrlField } from './code-fields.tsx'
import { isNoUrl } from './encoded-text.ts'
import { SymbologyField } from './symbology-field.tsx'

type BarcodeFormState = ReturnType<typeof useForm<BarcodeValues>>

export function BarcodeControls({ form }: { readonly form: BarcodeFormState }) {
  const { values, set, setValues, faults } = form
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
            <UrlField field={form.text('url')} />
          ) : (
            <TextField label="Text or number" {...form.text('value')} />
          )}
          {isNoUrl(values) && (
            <Notice kind="warn">
              {values.url.trim()} is not a URL.{' '}
              <button
                type="button"
                className="font-bold underline underline-offset-2"
                onClick={() =>
                  setValues((before) => ({ ...before, content: 'value', value: before.url.trim() }))
                }
              >
                Encode it as text
              </button>
            </Notice>
          )}
          <SymbologyField
            value={values.symbology}
            onValue={(symbology) => set('symbology', symbology)}
            faults={faults['symbology']}
          />
          {values.content === 'url' && (
            <DynamicField
              also="The barcode is narrower. "
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
            <InkField
              label="Colour"
              value={values.color}
              onValue={(color) => set('color', color)}
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
              <InkField
                label="Caption colour"
                value={values.text_color}
                onValue={(color) => set('text_color', color)}
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
