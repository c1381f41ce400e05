import { Bookmark, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { toast } from '../../shell/toasts.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { readTemplates, removeTemplate, saveTemplate, type Template } from './templates.ts'

/** Fills the form from a template, and saves it as one. */
export function TemplateBar({
  values,
  onUse,
}: {
  readonly values: Template['values']
  readonly onUse: (values: Template['values']) => void
}) {
  const [templates, setTemplates] = useState(readTemplates)
  const [isOpen, setIsOpen] = useState(false)
  const [name, setName] = useState('')
  const save = (): void => {
    const { campaign, content, term, shorten, channels } = values
    const kept = { campaign, content, term, shorten, channels }
    if (saveTemplate({ name: name.trim(), values: kept })) toast.news('Template saved in this browser')
    else toast.failure('This browser does not store templates.')
    setTemplates(readTemplates())
    setName('')
  }
  return (
    <>
      <span className="flex flex-wrap items-center gap-2">
        {templates.length > 0 && (
          <select
            aria-label="Use a template"
            className="input w-auto"
            value=""
            onChange={({ target }) => {
              const chosen = templates.find((template) => template.name === target.value)
              if (chosen !== undefined) onUse(chosen.values)
            }}
          >
            <option value="">Use a template…</option>
            {templates.map((template) => (
              <option key={template.name}>{template.name}</option>
            ))}
          </select>
        )}
        <Button look="ghost" icon={Bookmark} onClick={() => setIsOpen(true)}>
          Templates
        </Button>
      </span>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Templates">
        <p className="mb-4 text-sm text-muted">
          A template holds everything but the destination. Templates are kept in this browser, for your
          account.
        </p>
        <form
          className="flex items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (name.trim() !== '') save()
          }}
        >
          <TextField
            label="Save the form as"
            placeholder="Newsletter"
            className="flex-1"
            value={name}
            onValue={setName}
          />
          <Button look="primary" type="submit" disabled={name.trim() === ''}>
            Save template
          </Button>
        </form>
        <ul aria-label="Saved templates" className="mt-4 divide-y divide-line empty:hidden">
          {templates.map((template) => (
            <li key={template.name} className="flex items-center justify-between gap-3 py-1.5">
              <span className="min-w-0">
                <span className="block truncate font-semibold">{template.name}</span>
                <span className="block truncate text-sm text-muted">
                  {template.values.channels.map(({ source, medium }) => `${source} / ${medium}`).join(', ')}
                </span>
              </span>
              <IconButton
                label={`Remove template ${template.name}`}
                icon={Trash2}
                onClick={() => {
                  removeTemplate(template.name)
                  setTemplates(readTemplates())
                }}
              />
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  )
}
