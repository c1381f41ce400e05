import { X } from 'lucide-react'
import { useState } from 'react'
import { ComboField } from './combo-field.tsx'
import type { FieldFrame } from './field.tsx'

/** Several words, each as a chip; Enter or a comma adds one. */
export function TagsField({
  tags,
  onTags,
  suggestions,
  noun = 'tag',
  labelOf = (tag) => tag,
  mayHaveCommas = false,
  placeholder,
  ...frame
}: FieldFrame & {
  readonly tags: readonly string[]
  readonly onTags: (tags: readonly string[]) => void
  readonly suggestions: readonly string[]
  /** The name of one item. */
  readonly noun?: string
  /** The label of an item, which can also be typed. */
  readonly labelOf?: (tag: string) => string
  readonly mayHaveCommas?: boolean
  readonly placeholder?: string
}) {
  const [typed, setTyped] = useState('')
  const values = new Map(suggestions.map((one) => [labelOf(one).toLowerCase(), one]))
  const add = (text: string): void => {
    const named = (mayHaveCommas ? [text] : text.split(','))
      .map((one) => one.trim())
      .filter((one) => one !== '')
      .map((one) => values.get(one.toLowerCase()) ?? one)
    setTyped('')
    if (named.length > 0) onTags([...new Set([...tags, ...named])])
  }
  return (
    <div className="min-w-0">
      <ComboField
        {...frame}
        placeholder={placeholder}
        value={typed}
        onValue={(text) => (text.includes(',') && !mayHaveCommas ? add(text) : setTyped(text))}
        onPick={add}
        onErase={() => onTags(tags.slice(0, -1))}
        suggestions={suggestions.filter((one) => !tags.includes(one)).map(labelOf)}
      />
      {tags.length > 0 && (
        <ul aria-label={`Selected: ${noun}`} className="mt-2 flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <li
              key={tag}
              className="inline-flex max-w-full items-center gap-0.5 rounded-full bg-sunken py-0.5 pr-0.5 pl-2.5 text-sm ring-1 ring-line ring-inset"
            >
              <span dir="auto" className="truncate pt-px">
                {labelOf(tag)}
              </span>
              <button
                type="button"
                aria-label={`Remove ${noun} ${labelOf(tag)}`}
                className="grid size-6 shrink-0 place-items-center rounded-full text-faint hover:text-ink"
                onClick={() => onTags(tags.filter((one) => one !== tag))}
              >
                <X aria-hidden size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
