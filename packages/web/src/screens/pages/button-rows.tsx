import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { useReorder } from '../../ui/reorder.ts'
import { Card } from '../../ui/screen.tsx'
import { type ButtonValue, nextId, type PageFormState } from './page-form.ts'
import { RowFrame } from './row-frame.tsx'

export function ButtonRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { buttons } = values
  const { attach, dragged, announcement, handle } = useReorder(buttons, (next) => set('buttons', next))
  const change = (key: string, part: Partial<ButtonValue>): void =>
    set(
      'buttons',
      buttons.map((button) => (button.key === key ? { ...button, ...part } : button)),
    )
  const add = (): void => {
    const id = nextId(buttons)
    set('buttons', [
      ...buttons,
      { key: `id-${id}`, id, label: '', url: '', isShown: true, type: 'link', image: null },
    ])
  }
  return (
    <Card title="Buttons" lead="Drag to reorder.">
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
      {faults['buttons'] !== undefined && (
        <Notice kind="danger" className="mb-3">
          {faults['buttons'].join('. ')}
        </Notice>
      )}
      <ul ref={attach} className="space-y-2">
        {buttons.map((button, index) => (
          <RowFrame
            key={button.key}
            handle={handle(index)}
            isDragged={dragged === index}
            isShown={button.isShown}
            name={`button ${index + 1}`}
            onShow={(isShown) => change(button.key, { isShown })}
            onRemove={() =>
              set(
                'buttons',
                buttons.filter(({ key }) => key !== button.key),
              )
            }
          >
            <div className="grid gap-2 sm:grid-cols-2">
              <TextField
                label={`Label of button ${index + 1}`}
                hasHiddenLabel
                placeholder="Label"
                value={button.label}
                onValue={(label) => change(button.key, { label })}
                faults={faults[`buttons.${index}.label`]}
              />
              <TextField
                label={`URL of button ${index + 1}`}
                hasHiddenLabel
                placeholder="https://…"
                type="url"
                value={button.url}
                onValue={(url) => change(button.key, { url })}
                faults={faults[`buttons.${index}.url`]}
              />
            </div>
          </RowFrame>
        ))}
      </ul>
      <Button icon={Plus} className="mt-3" onClick={add}>
        Add button
      </Button>
    </Card>
  )
}
