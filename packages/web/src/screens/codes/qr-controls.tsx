import type { FrameFont } from '@waymark/codes'
import { useState } from 'react'
import { Segments, SliderField } from '../../ui/choices.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card } from '../../ui/screen.tsx'
import { BrandKitButton } from '../brand-kit/brand-kit-button.tsx'
import type { BrandKit } from '../brand-kit/brand-kit.ts'
import { InkField } from './code-fields.tsx'
import { ContentFields } from './content-fields.tsx'
import { decodedLogo } from './image-data.ts'
import type { QrFormState } from './qr-form.ts'
import { type QrLook, QrPresets } from './qr-presets.tsx'
import { QrShapes } from './qr-shapes.tsx'
import { SavedStyles } from './saved-styles.tsx'

/** Captions are drawn as outlines: the available font that is closest to the brand's. */
const FRAME_FONTS: Readonly<Record<NonNullable<BrandKit['font']>, FrameFont>> = {
  overpass: 'sans',
  'overpass-mono': 'mono',
  serif: 'serif',
  rounded: 'sans',
}

const logoFaultOf = ({ name, type }: File): string =>
  type === 'image/svg+xml' || /\.svg$/i.test(name)
    ? 'An SVG cannot be a logo: export it as a PNG, about 400 pixels wide'
    : `${name} is not a PNG or JPEG image`

export function QrControls({
  form,
  kit: brandKit,
  hasSavedLogo,
}: {
  readonly form: QrFormState
  readonly kit: BrandKit | undefined
  readonly hasSavedLogo: boolean
}) {
  const { values, set, setValues, faults } = form
  const [logoFault, setLogoFault] = useState<string | null>(null)
  const takeLogo = (files: readonly File[] | null): void => {
    const file = files?.[0]
    setLogoFault(null)
    if (file === undefined)
      return setValues((before) => ({ ...before, logo: null, logoFile: hasSavedLogo ? null : undefined }))
    // The file name does not matter, only whether the file can be decoded.
    void decodedLogo(file).then(
      (logo) => setValues((before) => ({ ...before, logo, logoFile: file })),
      () => setLogoFault(logoFaultOf(file)),
    )
  }
  const choose = (look: QrLook): void => setValues((before) => ({ ...before, ...look }))
  const applyKit = async (kit: BrandKit, file: File | null): Promise<void> => {
    const logo = file === null ? null : await decodedLogo(file)
    setValues((before) => ({
      ...before,
      color: kit.color ?? before.color,
      eye_color: kit.accent ?? before.eye_color,
      background: kit.background ?? before.background,
      frame_font: kit.font === null ? before.frame_font : FRAME_FONTS[kit.font],
      ...(file === null ? {} : { logo, logoFile: file }),
    }))
  }
  return (
    <>
      <Card title="Content">
        <div className="space-y-5">
          <ContentFields form={form} />
          <TextField
            label="Description"
            isOptional
            placeholder="Where it is used"
            {...form.text('description')}
          />
        </div>
      </Card>
      <Card
        title="Design"
        aside={<BrandKitButton kit={brandKit} onApply={(kit, logo) => void applyKit(kit, logo)} />}
      >
        <div className="space-y-6">
          <QrPresets values={values} onChoose={choose} />
          <SavedStyles kit={brandKit} values={values} onChoose={choose} />
          <QrShapes form={form} />
          <TextField
            label="Frame text"
            isOptional
            maxLength={50}
            placeholder="Scan me"
            hint="Draws a frame around the code with this text below it."
            {...form.text('frame')}
          />
          {values.frame.trim() !== '' && (
            <Segments
              label="Frame font"
              value={values.frame_font}
              onValue={(font) => set('frame_font', font)}
              options={[
                { value: 'sans', label: 'Sans serif' },
                { value: 'serif', label: 'Serif' },
                { value: 'mono', label: 'Monospaced' },
              ]}
            />
          )}
          <div className="grid gap-5 sm:grid-cols-2">
            <InkField
              label="Colour"
              value={values.color}
              onValue={(color) => set('color', color)}
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
            faults={logoFault === null ? faults['logo'] : [logoFault]}
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
              hint="In modules, the small squares. Scanners need 4."
              faults={faults['margin']}
            />
          </div>
        </div>
      </Card>
    </>
  )
}
