import type { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Segments, SliderField, SwitchField } from '../../ui/choices.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card } from '../../ui/screen.tsx'
import { decodedLogo } from './image-data.ts'
import type { QrValues } from './qr-form.ts'

type QrFormState = ReturnType<typeof useForm<QrValues>>

export function QrControls({
  form,
  hasSavedLogo,
}: {
  readonly form: QrFormState
  readonly hasSavedLogo: boolean
}) {
  const { values, set, setValues, faults } = form
  const takeLogo = (files: readonly File[] | null): void => {
    const file = files?.[0]
    if (file === undefined)
      return setValues((before) => ({ ...before, logo: null, logoFile: hasSavedLogo ? null : undefined }))
    // The name says nothing: what counts is whether the file can be decoded.
    void decodedLogo(file).then(
      (logo) => setValues((before) => ({ ...before, logo, logoFile: file })),
      () => toast.failure(`${file.name} is not a PNG or JPEG image`),
    )
  }
  return (
    <>
      <Card title="Content">
        <div className="space-y-5">
          <TextField
            label="URL"
            type="url"
            placeholder="https://example.com"
            autoFocus={values.url === ''}
            {...form.text('url')}
          />
          <SwitchField
            label="Dynamic"
            hint="Encodes a short link. Scans are counted, and you can change the destination after printing."
            isOn={values.dynamic}
            onToggle={(isOn) => set('dynamic', isOn)}
          />
          <TextField
            label="Description"
            isOptional
            placeholder="Where it is used"
            {...form.text('description')}
          />
        </div>
      </Card>
      <Card title="Design">
        <div className="space-y-6">
          <Segments
            label="Pattern"
            value={values.pattern}
            onValue={(pattern) => set('pattern', pattern)}
            options={[
              { value: 'squares', label: 'Squares', picture: <Sample isRound={false} /> },
              { value: 'dots', label: 'Dots', picture: <Sample isRound /> },
            ]}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <ColorField
              label="Colour"
              value={values.color}
              onValue={(color) => set('color', color === '' ? '#000000' : color)}
              against={values.background}
              faults={faults['color']}
            />
            <ColorField
              label="Eye colour"
              isOptional
              placeholder={values.color}
              value={values.eye_color}
              onValue={(color) => set('eye_color', color)}
              against={values.background}
              faults={faults['eye_color']}
            />
            <ColorField
              label="Background"
              value={values.background}
              onValue={(color) => set('background', color === '' ? '#ffffff' : color)}
              faults={faults['background']}
            />
          </div>
          <FileDrop
            label="Logo"
            isOptional
            accept="image/png,image/jpeg"
            prompt="Drop a PNG or JPEG here, or"
            preview={values.logo}
            onFile={takeLogo}
            faults={faults['logo']}
          />
          <div className="grid gap-5 sm:grid-cols-2">
            <SliderField
              label="Size"
              min={200}
              max={500}
              step={10}
              unit=" px"
              value={values.size}
              onValue={(size) => set('size', size)}
              faults={faults['size']}
            />
            <SliderField
              label="Margin"
              min={0}
              max={20}
              value={values.margin}
              onValue={(margin) => set('margin', margin)}
              hint="In modules. Scanners need 4."
              faults={faults['margin']}
            />
          </div>
        </div>
      </Card>
    </>
  )
}

function Sample({ isRound }: { readonly isRound: boolean }) {
  const cells = [0, 1, 3, 5, 6, 8]
  return (
    <svg aria-hidden width="15" height="15" viewBox="0 0 3 3" fill="currentColor">
      {cells.map((cell) =>
        isRound ? (
          <circle key={cell} cx={(cell % 3) + 0.5} cy={Math.floor(cell / 3) + 0.5} r="0.44" />
        ) : (
          <rect key={cell} x={cell % 3} y={Math.floor(cell / 3)} width="1" height="1" />
        ),
      )}
    </svg>
  )
}
