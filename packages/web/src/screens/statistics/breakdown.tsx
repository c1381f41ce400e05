import { useQuery } from '@tanstack/react-query'
import type { Analytics } from '@waymark/sdk'
import { useState } from 'react'
import type { FilterName, Filters } from '../../api/analytics-filters.ts'
import { breakdownQuery, type Dimension, type Range, type Scope } from '../../api/analytics.ts'
import { pollEvery } from '../../api/query-client.ts'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { count } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { type BreakdownCard, filterOf, selectedOf } from './breakdown-cards.ts'
import { ValueIcon } from './value-icon.tsx'
import { dimensionNames, UNKNOWN, valueName } from './value-names.ts'

type Row = Analytics['breakdown'][number]

const SHOWN = 7

/** Clicks by one of a few dimensions, as bars in descending order. A row is a filter. */
export function Breakdown({
  scope,
  range,
  filters,
  title,
  tabs,
  chosen,
  refreshMs,
  onChoose,
  onFilter,
}: BreakdownCard & {
  readonly scope: Scope
  readonly range: Range
  readonly filters: Filters
  readonly chosen: Dimension
  readonly refreshMs: number
  readonly onChoose: (by: Dimension) => void
  readonly onFilter: (name: FilterName, value: string) => void
}) {
  const filter = filterOf(chosen)
  const selected = selectedOf(chosen, filters)
  // Without its own filter, so that a second value can be chosen.
  const others = filter === undefined ? filters : { ...filters, [filter]: undefined }
  const query = useQuery({
    ...breakdownQuery(scope, range, others, chosen),
    // Otherwise it is loaded together with the totals.
    enabled: selected.length > 0,
    staleTime: 0,
    refetchInterval: pollEvery(refreshMs),
  })
  const rows = (query.data ?? []).filter((row) => row.clicks > 0)
  return (
    <Card
      title={title}
      aside={tabs.length > 1 && <Tabs title={title} tabs={tabs} chosen={chosen} onChoose={onChoose} />}
    >
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <div className="skeleton h-32" />}
      {query.data !== undefined && rows.length === 0 && (
        <p className="py-6 text-center text-sm text-muted">No clicks in this period</p>
      )}
      <Rows
        title={title}
        by={chosen}
        rows={rows}
        selected={selected}
        onRow={filter === undefined ? undefined : (value) => onFilter(filter, value)}
      />
    </Card>
  )
}

function Tabs({
  title,
  tabs,
  chosen,
  onChoose,
}: BreakdownCard & { readonly chosen: Dimension; readonly onChoose: (by: Dimension) => void }) {
  return (
    <div role="group" aria-label={`${title} by`} className="flex flex-wrap gap-x-3 gap-y-1">
      {tabs.map(({ by, label }) => (
        <button
          key={by}
          type="button"
          aria-pressed={by === chosen}
          onClick={() => onChoose(by)}
          className="border-b-2 border-transparent pb-0.5 text-sm font-semibold text-muted hover:text-ink aria-pressed:border-brand aria-pressed:text-ink"
        >
          {label}
        </button>
      ))}
    </div>
  )
}

interface RowsProps {
  readonly by: Dimension
  readonly rows: readonly Row[]
  readonly selected: readonly string[]
  readonly onRow: ((value: string) => void) | undefined
}

function Rows({ title, ...props }: RowsProps & { readonly title: string }) {
  const { by, rows } = props
  const [isOpen, setIsOpen] = useState(false)
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = rows.filter((row) => nameOf(by, row).toLowerCase().includes(wanted))
  return (
    <>
      <Bars {...props} shown={rows.slice(0, SHOWN)} />
      {rows.length > SHOWN && (
        <button
          type="button"
          className="mt-2 px-2.5 text-sm font-semibold text-brand hover:underline"
          onClick={() => setIsOpen(true)}
        >
          Show all {rows.length}
        </button>
      )}
      {isOpen && (
        <Dialog
          isOpen
          onClose={() => {
            setIsOpen(false)
            setSearch('')
          }}
          title={title}
        >
          <input
            type="search"
            aria-label={`Search ${title.toLowerCase()}`}
            placeholder={`Search ${rows.length} values`}
            className="input mb-4"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
          />
          <Bars {...props} shown={found} />
          {found.length === 0 && <p className="py-6 text-center text-sm text-muted">No results</p>}
        </Dialog>
      )}
    </>
  )
}

/** Values with a bar behind each, whose length is relative to the most frequent one. */
function Bars({ by, rows, shown, selected, onRow }: RowsProps & { readonly shown: readonly Row[] }) {
  const most = Math.max(1, ...rows.map((row) => row.clicks))
  const sum = rows.reduce((total, row) => total + row.clicks, 0)
  return (
    <ol className="space-y-1">
      {shown.map((row) => (
        <li key={row.value} className="relative">
          <svg
            aria-hidden
            className="pointer-events-none absolute inset-0 size-full"
            preserveAspectRatio="none"
            viewBox="0 0 100 10"
          >
            <rect width={(row.clicks / most) * 100} height="10" className="fill-[var(--chart-soft)]" />
          </svg>
          <ValueRow by={by} row={row} share={row.clicks / sum} selected={selected} onRow={onRow} />
        </li>
      ))}
    </ol>
  )
}

const ROW = 'relative flex w-full items-center gap-2 rounded-[3px] px-2.5 py-1.5 text-left text-sm'

function ValueRow({
  by,
  row,
  share,
  selected,
  onRow,
}: Omit<RowsProps, 'rows'> & { readonly row: Row; readonly share: number }) {
  const value = row.value === '' ? UNKNOWN : row.value
  const isSelected = selected.includes(value)
  const name = nameOf(by, row)
  const content = (
    <>
      <ValueIcon by={by} value={row.value} />
      <span className="min-w-0 flex-1 truncate font-medium">{name}</span>
      <span className="shrink-0 font-bold tabular">{count(row.clicks)}</span>
      <Share row={row} share={share} />
    </>
  )
  if (onRow === undefined) return <div className={ROW}>{content}</div>
  return (
    <button
      type="button"
      aria-pressed={isSelected}
      title={isSelected ? 'Remove filter' : `Filter: ${dimensionNames[by]} is ${name}`}
      onClick={() => onRow(value)}
      className={classes(
        ROW,
        'hover:ring-1 hover:ring-line-strong hover:ring-inset',
        isSelected && 'ring-2 ring-brand ring-inset hover:ring-2 hover:ring-brand',
      )}
    >
      {content}
    </button>
  )
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent', maximumFractionDigits: 1 })

/** The share of all clicks; for a button, the share of page views with a click on it. */
function Share({ row, share }: { readonly row: Row; readonly share: number }) {
  if (row.rate === undefined)
    return <span className="w-9 shrink-0 text-right text-muted tabular">{Math.round(share * 100)}%</span>
  return (
    <span className="w-24 shrink-0 text-right text-muted tabular" title="Clicks for each view of the page">
      {row.rate === null ? 'no views' : `${percent.format(row.rate)} of views`}
    </span>
  )
}

/** Buttons and icons are numbers, and their names come with the response. */
const nameOf = (by: Dimension, { value, label }: Row): string => {
  if (label === undefined) return valueName(by, value)
  if (label === null) return `Removed ${dimensionNames[by].toLowerCase()}`
  return label === '' ? 'Without a label' : valueName(by, label)
}
