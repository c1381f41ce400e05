import { networks } from '@waymark/page'
import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Segments, SelectField } from '../../ui/choices.tsx'
import { TextField } from '../../ui/field.tsx'
import { Card } from '../../ui/screen.tsx'
import { newKey, type PageFormState } from './page-form.ts'
import { SortableRows } from './sortable-rows.tsx'

const OTHER = 'website'

/** Alphabetical, because there are more than thirty names. */
const options = [
  ...networks
    .map(({ name, label }) => ({ value: name, label }))
    .toSorted((a, b) => a.label.localeCompare(b.label)),
  { value: OTHER, label: 'Other website' },
]

const isKnown = (name: string): boolean => networks.some((network) => network.name === name)

export function IconRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { icons } = values
  const add = (): void => {
    const unused = networks.find(({ name }) => icons.every((icon) => icon.name !== name))
    set('icons', [...icons, { key: newKey(), name: unused?.name ?? OTHER, link: '', bg: '' }])
  }
  return (
    <Card title="Social icons">
      <SortableRows
        rows={icons}
        onRows={(rows) => set('icons', rows)}
        nameOf={(_, index) => `icon ${index + 1}`}
      >
        {(icon, index, change) => (
          <div className="grid gap-2 sm:grid-cols-[10rem_minmax(0,1fr)]">
            <SelectField
              label={`Network of icon ${index + 1}`}
              hasHiddenLabel
              value={isKnown(icon.name) ? icon.name : OTHER}
              onValue={(name) => change({ name })}
              options={options}
              faults={faults[`socialIcons.${index}.icon`]}
            />
            <TextField
              label={`URL of icon ${index + 1}`}
              hasHiddenLabel
              type="url"
              placeholder="https://…"
              value={icon.link}
              onValue={(link) => change({ link })}
              faults={faults[`socialIcons.${index}.link`]}
            />
          </div>
        )}
      </SortableRows>
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
