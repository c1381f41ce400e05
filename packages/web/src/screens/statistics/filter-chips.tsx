import { X } from 'lucide-react'
import { type FilterName, filterNames, type Filters } from '../../api/analytics-filters.ts'
import { ValueIcon } from './value-icon.tsx'
import { dimensionNames, valueName } from './value-names.ts'

/** Whether any filter is set. */
export const isFiltered = (filters: Filters): boolean => Object.keys(filters).length > 0

/** The active filters, each with a button that removes it. */
export function FilterChips({
  filters,
  onRemove,
  onClear,
}: {
  readonly filters: Filters
  readonly onRemove: (name: FilterName | 'bot', value: string) => void
  readonly onClear: () => void
}) {
  if (!isFiltered(filters)) return null
  const chips = filterNames.flatMap((name) => (filters[name] ?? []).map((value) => ({ name, value })))
  return (
    <ul aria-label="Filters" className="flex flex-wrap items-center gap-2">
      {chips.map(({ name, value }) => (
        <li key={`${name} ${value}`}>
          <Chip
            label={`${dimensionNames[name]}: ${valueName(name, value)}`}
            onRemove={() => onRemove(name, value)}
          >
            <ValueIcon by={name} value={value} />
            <span className="text-muted">{dimensionNames[name]}</span> {valueName(name, value)}
          </Chip>
        </li>
      ))}
      {filters.bot === true && (
        <li>
          <Chip label="Bots only" onRemove={() => onRemove('bot', '')}>
            Bots only
          </Chip>
        </li>
      )}
      <li>
        <button
          type="button"
          onClick={onClear}
          className="px-1 text-sm font-semibold text-brand hover:underline"
        >
          Clear filters
        </button>
      </li>
    </ul>
  )
}

function Chip({
  label,
  onRemove,
  children,
}: {
  readonly label: string
  readonly onRemove: () => void
  readonly children: React.ReactNode
}) {
  return (
    <span className="flex items-center gap-1.5 rounded-full border border-line-strong bg-surface py-1 pr-1 pl-3 text-sm font-semibold">
      {children}
      <button
        type="button"
        aria-label={`Remove filter ${label}`}
        title="Remove filter"
        onClick={onRemove}
        className="grid size-6 place-items-center rounded-full text-muted hover:bg-sunken hover:text-ink"
      >
        <X aria-hidden size={14} />
      </button>
    </span>
  )
}
