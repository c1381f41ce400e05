import { Search } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 250

/** A search that asks when one stops typing. */
export function SearchField({
  label,
  value,
  onSearch,
  placeholder,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onSearch: (search: string | undefined) => void
  readonly placeholder?: string
}) {
  const [typed, setTyped] = useState(value ?? '')
  const ask = useRef(onSearch)
  ask.current = onSearch
  useEffect(() => setTyped(value ?? ''), [value])
  useEffect(() => {
    const search = typed.trim() === '' ? undefined : typed.trim()
    if (search === value) return
    const timer = setTimeout(() => ask.current(search), TYPING_MS)
    return () => clearTimeout(timer)
  }, [typed, value])
  return (
    <search className="relative min-w-44 flex-1">
      <Search aria-hidden size={16} className="pointer-events-none absolute top-3 left-3 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={placeholder ?? label}
        className="input pl-9"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
    </search>
  )
}
