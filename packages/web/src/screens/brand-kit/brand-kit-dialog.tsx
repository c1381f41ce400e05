import { Trash2 } from 'lucide-react'
import { FormFailure } from '../../forms/form-failure.tsx'
import { orNull } from '../../forms/or-null.ts'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { SelectField } from '../../ui/choices.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { type BrandKit, saveBrandKit } from './brand-kit.ts'

const COLORS = [
  { name: 'color', label: 'Main colour' },
  { name: 'accent', label: 'Accent colour' },
  { name: 'background', label: 'Background colour' },
] as const

const FONTS = [
  { value: '', label: 'System' },
  { value: 'overpass', label: 'Overpass' },
  { value: 'overpass-mono', label: 'Overpass Mono' },
  { value: 'serif', label: 'Serif' },
  { value: 'rounded', label: 'Rounded' },
] as const

interface KitValues {
  color: string
  accent: string
  background: string
  font: (typeof FONTS)[number]['value']
  styles: BrandKit['styles']
  /** The name of a style; empty: none. */
  defaultStyle: string
  /** The URL of the shown logo. */
  preview: string | null
  /** The file to upload; null removes the stored one; undefined keeps it. */
  logoFile: File | null | undefined
}

/** Edits the brand kit. It is inside the form of a studio, so it has no form element of its own. */
export function BrandKitDialog({ kit, onClose }: { readonly kit: BrandKit; readonly onClose: () => void }) {
  const initial: KitValues = {
    color: kit.color ?? '',
    accent: kit.accent ?? '',
    background: kit.background ?? '',
    font: kit.font ?? '',
    styles: kit.styles,
    defaultStyle: kit.default_style ?? '',
    preview: kit.logo,
    logoFile: undefined,
  }
  const form = useForm<KitValues>(
    initial,
    async ({ color, accent, background, font, styles, defaultStyle, logoFile }) => {
      await saveBrandKit({
        color: orNull(color),
        accent: orNull(accent),
        background: orNull(background),
        font: font === '' ? null : font,
        styles,
        default_style: orNull(defaultStyle),
        ...(logoFile === undefined ? {} : { logo: logoFile }),
      })
      toast.news('Brand kit saved')
      onClose()
    },
  )
  const takeLogo = (files: readonly File[] | null): void => {
    const file = files?.[0] ?? null
    form.setValues((before) => ({
      ...before,
      logoFile: file,
      preview: file === null ? null : URL.createObjectURL(file),
    }))
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Brand kit"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" isBusy={form.isBusy} onClick={() => void form.submit()}>
            Save brand kit
          </Button>
        </>
      }
    >
      <div
        role="group"
        aria-label="Brand kit"
        className="space-y-5"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          void form.submit()
        }}
      >
        <p className="text-sm text-muted">Your colours, font and logo, for every new code and page.</p>
        <FormFailure form={form} />
        {COLORS.map(({ name, label }) => (
          <ColorField
            key={name}
            label={label}
            isOptional
            placeholder="none"
            value={form.values[name]}
            onValue={(color) => form.set(name, color)}
            faults={form.faults[name]}
          />
        ))}
        <SelectField
          label="Font"
          hint="Of pages. The frames of QR codes have the nearest of three fonts that can be drawn."
          value={form.values.font}
          onValue={(font) => form.set('font', font)}
          options={FONTS}
        />
        <FileDrop
          label="Brand logo"
          isOptional
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          prompt="Drop your logo here, or"
          preview={form.values.preview}
          onFile={takeLogo}
          faults={form.faults['logo']}
        />
        {kit.styles.length > 0 && <StyleFields form={form} />}
      </div>
    </Dialog>
  )
}

/** The saved styles of QR codes: choose the default for new codes, or remove styles. */
function StyleFields({
  form: { values, setValues, set, faults },
}: {
  readonly form: ReturnType<typeof useForm<KitValues>>
}) {
  const remove = (name: string): void =>
    setValues((before) => ({
      ...before,
      styles: before.styles.filter((style) => style.name !== name),
      defaultStyle: before.defaultStyle === name ? '' : before.defaultStyle,
    }))
  return (
    <>
      <SelectField
        label="Style of new QR codes"
        value={values.defaultStyle}
        onValue={(name) => set('defaultStyle', name)}
        options={[
          { value: '', label: 'Classic' },
          ...values.styles.map(({ name }) => ({ value: name, label: name })),
        ]}
        faults={faults['default_style']}
      />
      <ul aria-label="Saved styles" className="divide-y divide-line rounded-md border border-line">
        {values.styles.map(({ name }) => (
          <li key={name} className="flex items-center justify-between gap-2 px-3 py-1 text-sm">
            <span className="min-w-0 truncate">{name}</span>
            <IconButton label={`Remove ${name}`} icon={Trash2} onClick={() => remove(name)} />
          </li>
        ))}
      </ul>
    </>
  )
}
