import { FormFailure } from '../../forms/form-failure.tsx'
import { orNull } from '../../forms/or-null.ts'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { ColorField } from '../../ui/color-field.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { type BrandKit, saveBrandKit } from './brand-kit.ts'

const COLORS = [
  { name: 'color', label: 'Main colour' },
  { name: 'accent', label: 'Accent colour' },
  { name: 'background', label: 'Background colour' },
] as const

interface KitValues {
  color: string
  accent: string
  background: string
  /** What is shown. */
  preview: string | null
  /** What is to be uploaded; null removes the stored one; undefined keeps it. */
  logoFile: File | null | undefined
}

/** Edits the brand kit. It stands inside the form of a studio, so that it has no form element of its own. */
export function BrandKitDialog({ kit, onClose }: { readonly kit: BrandKit; readonly onClose: () => void }) {
  const initial: KitValues = {
    color: kit.color ?? '',
    accent: kit.accent ?? '',
    background: kit.background ?? '',
    preview: kit.logo,
    logoFile: undefined,
  }
  const form = useForm<KitValues>(initial, async ({ color, accent, background, logoFile }) => {
    await saveBrandKit({
      color: orNull(color),
      accent: orNull(accent),
      background: orNull(background),
      ...(logoFile === undefined ? {} : { logo: logoFile }),
    })
    toast.news('Brand kit saved')
    onClose()
  })
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
        <p className="text-sm text-muted">Your colours and logo, for every new code and page.</p>
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
        <FileDrop
          label="Brand logo"
          isOptional
          accept="image/png,image/jpeg,image/gif,image/webp,image/avif"
          prompt="Drop your logo here, or"
          preview={form.values.preview}
          onFile={takeLogo}
          faults={form.faults['logo']}
        />
      </div>
    </Dialog>
  )
}
