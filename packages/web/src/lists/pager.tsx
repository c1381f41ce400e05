import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import { counted } from '../ui/numbers.ts'
import type { List } from './use-list.ts'

/** The footer of a list: its length, and links to the other pages. */
export function Pager<Size extends number>({
  list,
  what,
  size,
  sizes = [],
  onSize,
}: {
  readonly list: List
  /** The kind of item, in the singular. */
  readonly what: string
  /** Number of items on a page. */
  readonly size: Size
  /** Selectable page sizes, if there are any. */
  readonly sizes?: readonly Size[]
  readonly onSize?: (size: Size) => void
}) {
  const pages = Math.max(list.page, Math.ceil(list.total / size))
  return (
    <nav
      aria-label="Pages of the list"
      className="mt-4 flex flex-wrap items-center justify-between gap-3 text-sm text-muted"
    >
      <p aria-live="polite" className="tabular">
        {counted(list.total, what)}
        {pages > 1 && `, page ${list.page.toLocaleString()} of ${pages.toLocaleString()}`}
      </p>
      {sizes.some((one) => one < list.total) && (
        <label className="ml-auto flex items-center gap-2">
          Rows
          <select
            className="input w-22"
            value={size}
            onChange={(event) => onSize?.(Number(event.target.value) as Size)}
          >
            {sizes.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
        </label>
      )}
      {(list.page > 1 || list.hasNext) && (
        <div className="flex gap-2">
          {list.page > 2 && <IconButton label="First page" icon={ChevronsLeft} onClick={list.first} />}
          <Button icon={ChevronLeft} disabled={list.page === 1} onClick={list.previous}>
            Previous
          </Button>
          <Button
            disabled={!list.hasNext}
            onClick={list.next}
            onPointerEnter={list.prepareNext}
            onFocus={list.prepareNext}
          >
            Next
            <ChevronRight aria-hidden size={16} />
          </Button>
        </div>
      )}
    </nav>
  )
}
