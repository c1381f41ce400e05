import { Search } from 'lucide-react'
import { useRef, useState } from 'react'

const TYPING_MS = 120

const meant = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim())

/** A search field that searches after a pause in typing. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  readonly label: string
  readonly value: string | undefined
  readonly onSearch: (search: string | undefined) => void
}) {
  const [draft, setDraft] = useState({ text: value ?? '', isPending: false })
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // The typed text stays, including spaces, until the search is changed from outside.
  const shown = draft.isPending || meant(draft.text) === value ? draft.text : (value ?? '')
  const type = (text: string): void => {
    setDraft({ text, isPending: true })
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      setDraft({ text, isPending: false })
      if (meant(text) !== value) onSearch(meant(text))
    }, TYPING_MS)
  }
  return (
    <search className="relative min-w-44 flex-1 ">
      <Search aria-hidden size={16} className="pointer-events-none absolute top-3 left-3 text-faint" />
      <input
        type="search"
        aria-label={label}
        placeholder={label}
        className="input pl-9"
        value={shown}
        onChange={(event) => type(event.target.value)}
      />
    </search>
  )
}
