import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'
import { BlockFields } from './block-fields.tsx'
import { blocks, contacts, isBlank } from './block-kinds.ts'
import { blankButton, type ButtonValue, nextId, type PageFormState } from './page-form.ts'
import { SortableRows } from './sortable-rows.tsx'

export function ButtonRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { buttons } = values
  const withId = (button: Omit<ButtonValue, 'key' | 'id'>): ButtonValue => {
    const id = nextId(buttons)
    return { ...button, key: `id-${id}`, id }
  }
  const add = (part: Partial<ButtonValue> = {}): void => {
    // The empty button of a new page is replaced by the first chosen block.
    const isUntouched = part.type !== undefined && buttons.length === 1 && buttons.every(isBlank)
    set('buttons', [...(isUntouched ? [] : buttons), withId({ ...blankButton, ...part })])
  }
  return (
    <Card title="Buttons and blocks" lead="Drag to reorder.">
      {faults['buttons'] !== undefined && (
        <Notice kind="danger" className="mb-3">
          {faults['buttons'].join('. ')}
        </Notice>
      )}
      <SortableRows
        rows={buttons}
        onRows={(rows) => set('buttons', rows)}
        nameOf={({ type }, index) => `${type === 'link' ? 'button' : type} ${index + 1}`}
        duplicate={withId}
      >
        {(button, index, change) => <BlockFields {...{ button, change, faults }} number={index + 1} />}
      </SortableRows>
      <div className="flex flex-wrap gap-2">
        <Button icon={Plus} onClick={() => add()}>
          Add button
        </Button>
        <Menu
          label="Add another block"
          hasOwnText
          align="start"
          triggerClassName="button button-ghost"
          trigger={
            <>
              <Plus aria-hidden size={16} /> Add block
            </>
          }
        >
          {contacts.map(({ prefix, label, icon }) => (
            <MenuItem key={prefix} icon={icon} onSelect={() => add({ label, url: prefix })}>
              {label}
            </MenuItem>
          ))}
          <MenuLine />
          {blocks
            .filter(({ type }) => type !== 'link')
            .map(({ type, label, icon }) => (
              <MenuItem key={type} icon={icon} onSelect={() => add({ type })}>
                {label}
              </MenuItem>
            ))}
        </Menu>
      </div>
    </Card>
  )
}
