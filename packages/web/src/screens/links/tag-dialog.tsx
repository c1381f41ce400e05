import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tagsQuery } from '../../api/links.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { tagClass } from '../../ui/tag.tsx'

const SUGGESTED = 12

const tagsIn = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => tag !== ''),
  ),
]

/** Adds tags to many links, or removes them. */
export function TagDialog({
  links,
  onClose,
  onAdd,
  onRemove,
}: {
  /** Number of links, in words. */
  readonly links: string
  readonly onClose: () => void
  readonly onAdd: (tags: string[]) => void
  readonly onRemove: (tags: string[]) => void
}) {
  const [typed, setTyped] = useState('')
  const { data: known = [] } = useQuery(tagsQuery)
  const tags = tagsIn(typed)
  const isEmpty = tags.length === 0
  const suggested = known.filter(({ tag }) => !tags.includes(tag)).slice(0, SUGGESTED)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={`Tag ${links}`}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={isEmpty} onClick={() => onRemove(tags)}>
            Remove tags
          </Button>
          <Button look="primary" disabled={isEmpty} onClick={() => onAdd(tags)}>
            Add tags
          </Button>
        </>
      }
    >
      <TextField label="Tags" hint="Separate several tags with commas." value={typed} onValue={setTyped} />
      {suggested.length > 0 && (
        <p className="mt-3 flex flex-wrap gap-1.5">
          {suggested.map(({ tag }) => (
            <button
              key={tag}
              type="button"
              dir="auto"
              className={tagClass(tag)}
              onClick={() => setTyped([...tags, tag].join(', '))}
            >
              {tag}
            </button>
          ))}
        </p>
      )}
    </Dialog>
  )
}
