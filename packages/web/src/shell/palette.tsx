import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CornerDownLeft, Search } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useId, useState } from 'react'
import { linkQuery, linksQuery } from '../api/links.ts'
import { pagesQuery, qrcodesQuery } from '../api/resources.ts'
import { Dialog } from '../ui/dialog.tsx'
import { type Command, foundCommands, standingCommands } from './commands.ts'

const FOUND = 5

/** The command palette: navigation, search and common actions. */
export function Palette({ onClose }: { readonly onClose: () => void }) {
  const id = useId()
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [active, setActive] = useState(0)
  const asked = useDeferredValue(typed.trim())
  const isAsking = asked.length > 1
  const exact = useQuery({ ...linkQuery(asked.replace(/^.*\//, ''), undefined), enabled: isAsking })
  const links = useQuery({ ...linksQuery({ search: asked }, undefined, FOUND), enabled: isAsking })
  const pages = useQuery({ ...pagesQuery(asked, FOUND), enabled: isAsking })
  const qrcodes = useQuery({ ...qrcodesQuery(asked, FOUND), enabled: isAsking })

  const found = isAsking
    ? foundCommands(
        navigate,
        asked,
        [...(exact.data == null ? [] : [exact.data]), ...(links.data?.data ?? [])],
        pages.data?.data ?? [],
        qrcodes.data?.data ?? [],
      )
    : []
  // A complete short code takes precedence.
  const standing = standingCommands(navigate, typed.trim())
  const commands = exact.data == null || !isAsking ? [...standing, ...found] : [...found, ...standing]
  const chosen = Math.min(active, commands.length - 1)
  const searches = [exact, links, pages, qrcodes]
  const outcome = searches.some(({ isError }) => isError)
    ? 'The search failed. Check your connection and try again.'
    : commands.length > 0
      ? null
      : searches.some(({ fetchStatus }) => fetchStatus !== 'idle')
        ? 'Searching…'
        : 'No results'

  const run = (command: Command | undefined): void => {
    if (command === undefined) return
    onClose()
    command.run()
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    // During input method composition, Enter and arrow keys belong to the input method.
    if (event.nativeEvent.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined && commands.length > 0) {
      event.preventDefault()
      const next = (chosen + step + commands.length) % commands.length
      setActive(next)
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(commands[chosen])
    }
  }

  return (
    <Dialog isOpen onClose={onClose} title="Search or run a command" kind="palette" hasHiddenTitle>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden size={18} className="text-faint" />
        <input
          autoFocus
          role="combobox"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={commands.length > 0 ? `${id}-${chosen}` : undefined}
          aria-label="Search or run a command"
          placeholder="Search, run a command, or paste a URL"
          className="h-14 min-w-0 flex-1 bg-transparent pt-1 outline-none"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <ul
        id={`${id}-list`}
        role="listbox"
        aria-label="Commands"
        className="max-h-[22rem] overflow-y-auto p-2"
      >
        {commands.map((command, index) => (
          <li
            key={command.key}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === chosen}
            className="menu-item"
            onPointerMove={() => setActive(index)}
            onClick={() => run(command)}
          >
            <command.icon aria-hidden size={16} className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate pt-0.5">
              {command.label}
              {command.detail !== undefined && <span className="ml-2 text-faint">{command.detail}</span>}
            </span>
            {index === chosen && <CornerDownLeft aria-hidden size={14} className="text-faint" />}
          </li>
        ))}
      </ul>
      <p role="status" className="px-5 pb-5 text-sm text-muted empty:hidden">
        {outcome}
      </p>
    </Dialog>
  )
}
