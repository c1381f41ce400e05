import { IMAGE_TYPES } from '../../forms/picked-files.ts'
import { SelectField, SwitchField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card } from '../../ui/screen.tsx'
import type { PageFormState } from './page-form.ts'

const positions = [
  { value: 'top-center', label: 'Top, centred' },
  { value: 'top-left', label: 'Top left' },
  { value: 'top-right', label: 'Top right' },
  { value: 'bottom-left', label: 'Bottom left' },
  { value: 'bottom-right', label: 'Bottom right' },
] as const

export function LogoFields({ form }: { readonly form: PageFormState }) {
  const { values, set, setValues, faults } = form
  const take = (files: readonly File[] | null): void => {
    const file = files?.[0]
    setValues((before) => ({
      ...before,
      logo: file === undefined ? null : URL.createObjectURL(file),
      logoFile: file ?? null,
    }))
  }
  return (
    <Card title="Logo">
      <div className="space-y-5">
        <SwitchField label="Show logo" isOn={values.hasLogo} onToggle={(isOn) => set('hasLogo', isOn)} />
        {values.hasLogo && (
          <>
            <FileDrop
              label="Logo image"
              isOptional
              accept={IMAGE_TYPES}
              prompt="Drop your logo here, or"
              preview={values.logo}
              onFile={take}
              faults={faults['logo']}
            />
            <div className="grid gap-5 sm:grid-cols-2">
              <TextField label="Text beside the logo" isOptional {...form.text('logoText')} />
              <SelectField
                label="Position"
                value={values.logoPosition}
                onValue={(position) => set('logoPosition', position)}
                options={positions}
                faults={faults['logoPosition']}
              />
            </div>
          </>
        )}
      </div>
    </Card>
  )
}
