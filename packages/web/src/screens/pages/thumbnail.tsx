import { ImagePlus, type LucideIcon, X } from 'lucide-react'
import { useId, useRef } from 'react'
import { IMAGE_TYPES, pickFile } from '../../forms/picked-files.ts'

/** The small picture in a button, chosen with a click. */
export function Thumbnail({
  label,
  image,
  onImage,
  icon: Icon = ImagePlus,
  faults,
}: {
  readonly label: string
  readonly image: string | null
  readonly onImage: (image: string | null) => void
  /** Shown while there is none. */
  readonly icon?: LucideIcon | undefined
  readonly faults?: readonly string[] | undefined
}) {
  const ref = useRef<HTMLInputElement>(null)
  const id = useId()
  return (
    <div className="relative shrink-0">
      <button
        type="button"
        aria-label={image === null ? `Add ${label.toLowerCase()}` : `Change ${label.toLowerCase()}`}
        aria-describedby={faults === undefined ? undefined : id}
        title={image === null ? 'Add thumbnail' : 'Change thumbnail'}
        onClick={() => ref.current?.click()}
        className="grid size-10 place-items-center overflow-hidden rounded-md border border-dashed border-line-strong text-faint hover:border-brand hover:text-brand"
      >
        {image === null ? (
          <Icon aria-hidden size={17} />
        ) : (
          <img src={image} alt="" className="size-full object-cover" />
        )}
      </button>
      {image !== null && (
        <button
          type="button"
          aria-label={`Remove ${label.toLowerCase()}`}
          title="Remove thumbnail"
          onClick={() => onImage(null)}
          className="absolute -top-2 -right-2 grid size-6 place-items-center rounded-full border border-line bg-surface text-muted shadow-sm hover:text-danger"
        >
          <X aria-hidden size={13} />
        </button>
      )}
      <input
        ref={ref}
        type="file"
        tabIndex={-1}
        aria-label={label}
        className="sr-only"
        accept={IMAGE_TYPES}
        onChange={(event) => {
          const file = event.target.files?.[0]
          if (file !== undefined) onImage(pickFile(file))
          event.target.value = ''
        }}
      />
      {faults !== undefined && (
        <p id={id} className="mt-1 w-10 text-xs text-danger">
          {faults.join('. ')}
        </p>
      )}
    </div>
  )
}
