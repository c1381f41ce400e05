import { useState } from 'react'
import type { ConflictQuestion } from '../api/version-conflict.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { counted } from '../ui/numbers.ts'

/** A form value in a few words. */
const inWords = (value: unknown): string => {
  if (value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0))
    return 'Empty'
  if (typeof value === 'boolean') return value ? 'On' : 'Off'
  if (Array.isArray(value))
    return value.every((item) => typeof item === 'string') ? value.join(', ') : counted(value.length, 'item')
  if (value instanceof File) return value.name
  return typeof value === 'string' || typeof value === 'number' ? String(value) : 'Changed'
}

const versions = [
  { version: 'mine', title: 'Your change' },
  { version: 'theirs', title: 'Saved elsewhere' },
] as const

/** Asks which version to keep of a field that was changed both here and elsewhere. */
export function ConflictDialog({ conflicts, nameOf, answer }: ConflictQuestion) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, 'mine' | 'theirs'>>(new Map())
  return (
    <Dialog
      isOpen
      onClose={() => answer(null)}
      title="Changed elsewhere"
      footer={
        <>
          <Button look="ghost" onClick={() => answer(null)}>
            Cancel
          </Button>
          <Button look="primary" onClick={() => answer(chosen)}>
            Save
          </Button>
        </>
      }
    >
      <p className="mb-4 text-muted">
        While you were editing, {conflicts.length === 1 ? 'this field was' : 'these fields were'} changed in
        another tab or by the API. Choose what to keep. All other changes are kept.
      </p>
      <div className="space-y-4">
        {conflicts.map((conflict) => (
          <fieldset key={conflict.path}>
            <legend className="mb-1.5 text-sm font-semibold">{nameOf(conflict.path)}</legend>
            <div className="divide-y divide-line rounded-md border border-line">
              {versions.map(({ version, title }) => (
                <label key={version} className="flex min-h-11 items-baseline gap-3 px-3 py-2">
                  <input
                    type="radio"
                    name={conflict.path}
                    className="accent-brand"
                    checked={(chosen.get(conflict.path) ?? 'mine') === version}
                    onChange={() => setChosen(new Map([...chosen, [conflict.path, version]]))}
                  />
                  <span className="w-28 shrink-0 text-sm text-muted">{title}</span>
                  <span className="min-w-0 wrap-anywhere">{inWords(conflict[version])}</span>
                </label>
              ))}
            </div>
          </fieldset>
        ))}
      </div>
    </Dialog>
  )
}
