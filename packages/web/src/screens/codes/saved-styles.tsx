import { BookmarkPlus } from 'lucide-react'
import { useState } from 'react'
import { FormFailure } from '../../forms/form-failure.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { type BrandKit, saveBrandKit } from '../brand-kit/brand-kit.ts'
import { isSameLook, lookOfStyle, type QrLook, styleOfLook, Swatch } from './qr-presets.tsx'
import { SwatchChoices } from './swatch-choices.tsx'

/** The styles of the brand kit, and a button to add this one. */
export function SavedStyles({
  kit,
  values,
  onChoose,
}: {
  readonly kit: BrandKit | undefined
  readonly values: QrLook
  readonly onChoose: (look: QrLook) => void
}) {
  const [isSaving, setIsSaving] = useState(false)
  if (kit === undefined) return null
  const looks = kit.styles.map((style) => ({ name: style.name, look: lookOfStyle(style) }))
  const chosen = looks.find(({ look }) => isSameLook(look, values))
  return (
    <div className="space-y-3">
      {looks.length > 0 && (
        <SwatchChoices
          label="Saved styles"
          value={chosen?.name ?? null}
          onValue={(name) => {
            const found = looks.find((other) => other.name === name)
            if (found !== undefined) onChoose(found.look)
          }}
          choices={looks.map(({ name, look }) => ({
            value: name,
            label: name,
            picture: <Swatch look={look} />,
          }))}
        />
      )}
      {chosen === undefined && (
        <Button does="editBrandKit" look="ghost" icon={BookmarkPlus} onClick={() => setIsSaving(true)}>
          Save style
        </Button>
      )}
      {isSaving && <SaveStyleDialog {...{ kit, values }} onClose={() => setIsSaving(false)} />}
    </div>
  )
}

/** It is inside the form of the studio, so it has no form element of its own. */
function SaveStyleDialog({
  kit,
  values,
  onClose,
}: {
  readonly kit: BrandKit
  readonly values: QrLook
  readonly onClose: () => void
}) {
  const form = useForm({ name: '', isDefault: false }, async ({ name, isDefault }) => {
    const style = styleOfLook(name.trim(), values)
    await saveBrandKit({
      styles: [...kit.styles.filter((other) => other.name !== style.name), style],
      ...(isDefault && { default_style: style.name }),
    })
    toast.news('Style saved')
    onClose()
  })
  const at = kit.styles.length
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Save style"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" isBusy={form.isBusy} onClick={() => void form.submit()}>
            Save to brand kit
          </Button>
        </>
      }
    >
      <div
        role="group"
        aria-label="Save style"
        className="space-y-5"
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.target instanceof HTMLInputElement)) return
          event.preventDefault()
          void form.submit()
        }}
      >
        <FormFailure form={form} />
        <TextField
          label="Name"
          maxLength={40}
          placeholder="Menu"
          hint="A saved style of the same name is replaced."
          value={form.values.name}
          onValue={(name) => form.set('name', name)}
          faults={form.faults[`styles.${at}.name`] ?? form.faults['styles']}
        />
        <SwitchField
          label="Use for new codes"
          hint="New QR codes in the dashboard begin with this style."
          isOn={form.values.isDefault}
          onToggle={(isDefault) => form.set('isDefault', isDefault)}
        />
      </div>
    </Dialog>
  )
}
