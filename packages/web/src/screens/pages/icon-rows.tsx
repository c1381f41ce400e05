import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { useReorder } from '../../ui/reorder.ts'
import { Card } from '../../ui/screen.tsx'
import { type IconValue, newKey, type PageFormState } from './page-form.ts'
import { RowFrame } from './row-frame.tsx'

const networks = [
  { value: 'instagram', label: 'Instagram' },
  { value: 'youtube', label: 'YouTube' },
  { value: 'facebook', label: 'Facebook' },
  { value: 'whatsapp', label: 'WhatsApp' },
  { value: 'twitter', label: 'Twitter' },
]

export function IconRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { icons } = values
  const { attach, dragged, announcement, handle } = useReorder(icons, (next) => set('icons', next))
  const change = (key: string, part: Partial<IconValue>): void =>
    set(
      'icons',
      icons.map((icon) => (icon.key === key ? { ...icon, ...part } : icon)),
    )
  const add = (): void => {
    const unused = networks.find(({ value }) => icons.every(({ name }) => name !== value))
    set('icons', [...icons, { key: newKey(), name: unused?.value ?? 'website', link: '', bg: '' }])
  }
  return (
    <Card title="Social icons">
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
      <ul ref={attach} className="mb-3 space-y-2 empty:hidden">
        {icons.map((icon, index) => {
          const isKnown = networks.some(({ value }) => value === icon.name)
          return (
            <RowFrame
              key={icon.key}
              handle={handle(index)}
              isDragged={dragged === index}
              name={`icon ${index + 1}`}
              onRemove={() =>
                set(
                  'icons',
                  icons.filter(({ key }) => key !== icon.key),
                )
              }
            >
              <div className="grid gap-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
                <SelectField
                  label={`Network of icon ${index + 1}`}
                  hasHiddenLabel
                  value={isKnown ? icon.name : 'other'}
                  onValue={(name) => change(icon.key, { name: name === 'other' ? 'website' : name })}
                  options={[...networks, { value: 'other', label: 'Other website' }]}
                  faults={faults[`socialIcons.${index}.icon`]}
                />
                <TextField
                  label={`URL of icon ${index + 1}`}
                  hasHiddenLabel
                  type="url"
                  placeholder="https://…"
                  value={icon.link}
                  onValue={(link) => change(icon.key, { link })}
                  faults={faults[`socialIcons.${index}.link`]}
                />
              </div>
            </RowFrame>
          )
        })}
      </ul>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button icon={Plus} onClick={add}>
          Add icon
        </Button>
        {icons.length > 0 && (
          <Segments
            label="Alignment"
            hasHiddenLabel
            value={values.socialAlign}
            onValue={(align) => set('socialAlign', align)}
            options={[
              { value: 'left', label: 'Left' },
              { value: 'center', label: 'Centre' },
              { value: 'right', label: 'Right' },
            ]}
          />
        )}
      </div>
    </Card>
  )
}
