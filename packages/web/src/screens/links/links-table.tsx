import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Link } from '@waymark/sdk'
import { ArrowDown, ArrowUp } from 'lucide-react'
import { type KeyboardEvent, useRef, useState } from 'react'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import type { Selection } from '../../lists/use-selection.ts'
import { classes } from '../../ui/classes.ts'
import { LinkRow } from './link-row.tsx'
import type { LinkSort } from './links-view.ts'

interface LinksTableProps {
  readonly links: readonly Link[]
  readonly selection: Selection
  readonly isStale: boolean
  readonly onEdit: (link: Link) => void
  readonly onDuplicate: (link: Link) => void
  readonly onArchive: (link: Link) => void
  readonly onRemove: (uuids: readonly string[]) => void
}

/**
 * The keyboard moves from row to row with the arrows, selects with space (or x), opens with Enter, edits
 * with e, and removes with Delete.
 */
export function LinksTable({ links, selection, isStale, ...actions }: LinksTableProps) {
  const { onEdit, onDuplicate, onArchive, onRemove } = actions
  const navigate = useNavigate()
  const bodyRef = useRef<HTMLTableSectionElement>(null)
  const [active, setActive] = useState(0)

  const open = ({ code, domain }: Link): void =>
    void navigate({ to: '/links/$code', params: { code }, search: { domain } })

  const focusRow = (index: number): void => {
    const next = Math.max(0, Math.min(index, links.length - 1))
    setActive(next)
    bodyRef.current?.rows[next]?.focus()
  }

  const onKeyDown = (event: KeyboardEvent<HTMLTableSectionElement>): void => {
    const row = event.target as HTMLElement
    const link = links[active]
    // Only keys pressed on the row itself: controls inside have their own keys.
    if (row.tagName !== 'TR' || link === undefined || event.altKey) return
    const isCommand = event.ctrlKey || event.metaKey
    const actions: Record<string, () => void> = {
      ArrowDown: () => focusRow(active + 1),
      ArrowUp: () => focusRow(active - 1),
      Home: () => focusRow(0),
      End: () => focusRow(links.length - 1),
      ' ': () => link.owner === null && selection.toggle(link.uuid, event.shiftKey),
      x: () => link.owner === null && selection.toggle(link.uuid, event.shiftKey),
      e: () => onEdit(link),
      Escape: selection.clear,
      Enter: () => open(link),
      Delete: () => {
        const picked = selection.uuids.length > 0 ? selection.uuids : link.owner === null ? [link.uuid] : []
        if (picked.length > 0) onRemove(picked)
      },
    }
    const action = isCommand ? (event.key === 'a' ? selection.all : undefined) : actions[event.key]
    if (action === undefined) return
    event.preventDefault()
    action()
  }

  return (
    <div
      className={classes(
        'overflow-hidden rounded-lg border border-line bg-surface shadow-sm transition-opacity',
        isStale && 'opacity-60',
      )}
    >
      <table className="w-full table-fixed text-left">
        <thead className="border-b border-line text-sm text-faint">
          <tr>
            <th scope="col" className="w-11 py-2.5 pl-4">
              <input
                type="checkbox"
                className="checkbox align-middle"
                aria-label="Select all links on this page"
                checked={selection.isAll}
                ref={(box) => {
                  if (box !== null) box.indeterminate = selection.uuids.length > 0 && !selection.isAll
                }}
                onChange={() => (selection.isAll ? selection.clear() : selection.all())}
              />
            </th>
            <th scope="col" className="py-2 font-semibold">
              Link
            </th>
            <th scope="col" className="hidden w-44 py-2 font-semibold md:table-cell">
              Tags
            </th>
            <SortedHead
              label="Clicks"
              className="hidden w-28 text-right sm:table-cell"
              falling="clicks"
              rising="least-clicks"
            />
            <SortedHead
              label="Created"
              className="hidden w-36 pl-8 xl:table-cell"
              falling="newest"
              rising="oldest"
            />
            <th scope="col" className="w-22 sm:w-25">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody ref={bodyRef} onKeyDown={onKeyDown}>
          {links.map((link, index) => (
            <LinkRow
              key={link.uuid}
              link={link}
              isActive={index === Math.min(active, links.length - 1)}
              isPicked={selection.has(link.uuid)}
              onFocus={() => setActive(index)}
              onPick={(isRange) => selection.toggle(link.uuid, isRange)}
              onOpen={() => open(link)}
              onEdit={() => onEdit(link)}
              onDuplicate={() => onDuplicate(link)}
              onArchive={() => onArchive(link)}
              onRemove={() => onRemove([link.uuid])}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** A column header that sorts the list: descending first, then ascending. */
function SortedHead({
  label,
  falling,
  rising,
  className,
}: {
  readonly label: string
  readonly falling: LinkSort
  readonly rising: LinkSort
  readonly className: string
}) {
  const view = useSearch({ from: '/inside/links' })
  const navigate = useNavigate({ from: '/links' })
  const { sort = 'newest' } = view
  const isFalling = sort === falling
  const isSorted = isFalling || sort === rising
  const next = isFalling ? rising : falling
  const Icon = sort === rising ? ArrowUp : ArrowDown
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isFalling ? 'descending' : 'ascending') : 'none'}
      className={classes('py-2 font-semibold', className)}
    >
      <button
        type="button"
        title={`Sort by ${label.toLowerCase()}`}
        onClick={() =>
          void navigate({ search: { ...view, ...FIRST_PAGE, sort: next === 'newest' ? undefined : next } })
        }
        className={classes(
          'flex w-fit items-center gap-1 font-semibold hover:text-ink',
          className.includes('text-right') && 'ml-auto flex-row-reverse',
        )}
      >
        {label}
        <Icon aria-hidden size={14} className={isSorted ? '' : 'opacity-0'} />
      </button>
    </th>
  )
}
