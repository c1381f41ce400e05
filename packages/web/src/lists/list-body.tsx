import type { ReactNode } from 'react'
import { LIST_SIZE } from '../api/resources.ts'
import { Failure } from '../ui/failure.tsx'
import { Skeletons } from '../ui/screen.tsx'
import { SearchField } from '../ui/search-field.tsx'
import { Pager } from './pager.tsx'
import type { List } from './use-list.ts'

/** Shorter lists need no search. */
const FEW = 6

/** The search of a list. */
export function ListSearch({
  list,
  label,
  search,
  onSearch,
}: {
  readonly list: List
  readonly label: string
  readonly search: string | undefined
  readonly onSearch: (search: string | undefined) => void
}) {
  if (search === undefined && list.total <= FEW) return null
  return (
    <div className="mb-5">
      <SearchField label={label} value={search} onSearch={onSearch} />
    </div>
  )
}

/** The rows of a list and its pager, or what is shown while it loads, fails or is empty. */
export function ListBody({
  list,
  what,
  skeletons,
  whenEmpty,
  children,
}: {
  readonly list: List
  /** The kind of item, in the singular. */
  readonly what: string
  readonly skeletons: { readonly count: number; readonly className: string }
  readonly whenEmpty: ReactNode
  readonly children: ReactNode
}) {
  if (list.error !== null) return <Failure error={list.error} onRetry={list.retry} />
  if (list.isPending) return <Skeletons {...skeletons} />
  if (list.isEmpty) return whenEmpty
  return (
    <div id={list.topId} className="scroll-mt-20">
      {children}
      <Pager list={list} what={what} size={LIST_SIZE} />
    </div>
  )
}
