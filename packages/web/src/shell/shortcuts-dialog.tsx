import { SwitchField } from '../ui/choices.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { setShortcuts, useShortcutsOn } from './shortcuts.ts'

const anywhere = [
  { keys: ['C'], does: 'Create a link, code or page' },
  { keys: ['/'], does: 'Search' },
  { keys: ['J', 'K'], does: 'Next or previous row' },
  { keys: ['W'], does: 'Switch to another workspace' },
  { keys: ['?'], does: 'Show keyboard shortcuts' },
] as const

const always = [
  { keys: ['Ctrl K', '⌘ K'], does: 'Search or run a command' },
  { keys: ['Enter'], does: 'Open the focused row' },
  { keys: ['Space'], does: 'Select the focused link' },
  { keys: ['E'], does: 'Edit the focused link' },
  { keys: ['Delete'], does: 'Remove the selected links' },
] as const

export function ShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const isOn = useShortcutsOn()
  return (
    <Dialog isOpen onClose={onClose} title="Keyboard shortcuts">
      <div className="space-y-5">
        <SwitchField
          label="Single-key shortcuts"
          hint="Turn them off if keys are pressed by accident, for example by speech input."
          isOn={isOn}
          onToggle={setShortcuts}
        />
        <Shortcuts list={anywhere} isDimmed={!isOn} />
        <Shortcuts list={always} isDimmed={false} />
      </div>
    </Dialog>
  )
}

function Shortcuts({
  list,
  isDimmed,
}: {
  readonly list: readonly { readonly keys: readonly string[]; readonly does: string }[]
  readonly isDimmed: boolean
}) {
  return (
    <dl className={`divide-y divide-line border-t border-line text-sm ${isDimmed ? 'line-through' : ''}`}>
      {list.map(({ keys, does }) => (
        <div key={does} className="flex items-center justify-between gap-4 py-2">
          <dt>{does}</dt>
          <dd className="flex gap-1.5">
            {keys.map((key) => (
              <kbd key={key} className="rounded border border-line-strong bg-sunken px-2 pt-0.5 text-xs">
                {key}
              </kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
