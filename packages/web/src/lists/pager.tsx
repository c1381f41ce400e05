import { ChevronLeft, ChevronRight, ChevronsLeft } from 'lucide-react'
import { Button, IconButton } from '../ui/button.tsx'
import { counted } from '../ui/numbers.ts'
import type { List } from './use-list.ts'

/** The end of a list: how much there is, and the way to the other pages. */
export function Pager({
  list,
  what,
  size,
}: {
  readonly list: List
  /** What is listed, in the singular. */
  readonly what: string
  /** How many are on a page. */
  readonly size: number
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
