import { ImagePlus, type LucideIcon, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { Field, type FieldFrame } from './field.tsx'

/** A file chosen by drop, click or paste, with a thumbnail or its name. */
export function FileDrop({
  preview,
  chosen = null,
  icon: Icon = ImagePlus,
  onFile,
  accept,
  prompt = 'Drop an image here, or',
  isMultiple = false,
  ...frame
}: FieldFrame & {
  /** The URL of the chosen file, or of the stored one. */
  readonly preview: string | null
  /** The name of the chosen file, if it has no thumbnail. */
  readonly chosen?: string | null
  readonly icon?: LucideIcon
  readonly onFile: (files: readonly File[] | null) => void
  readonly accept: string
  readonly prompt?: string
  readonly isMultiple?: boolean
}) {
  const inputRef = useRef<HTMLInputElement>(null)
  const [isOver, setIsOver] = useState(false)
  const isEmpty = preview === null && chosen === null
  const take = (files: FileList | null | undefined): void => {
    const list = [...(files ?? [])]
    if (list.length > 0) onFile(isMultiple ? list : list.slice(0, 1))
  }
  return (
    <Field {...frame}>
      {(control) => (
        <div
          className={classes(
            'flex items-center gap-3 rounded-lg border border-dashed px-4 py-3 transition-colors has-focus-visible:outline-2 has-focus-visible:outline-brand',
            isOver ? 'border-brand bg-brand-soft' : 'border-line-strong',
          )}
          onDragOver={(event) => {
            event.preventDefault()
            setIsOver(true)
          }}
          onDragLeave={() => setIsOver(false)}
          onDrop={(event) => {
            event.preventDefault()
            setIsOver(false)
            take(event.dataTransfer.files)
          }}
          onPaste={(event) => take(event.clipboardData.files)}
        >
          {preview === null ? (
            <Icon aria-hidden className={classes('shrink-0', isEmpty ? 'text-faint' : 'text-brand')} />
          ) : (
            <img
              src={preview}
              alt=""
              className="checkered size-11 shrink-0 rounded-md border border-line object-contain"
            />
          )}
          <span className="min-w-0 flex-1 text-sm text-muted">
            {chosen !== null && <span className="block truncate font-semibold text-ink">{chosen}</span>}
            {isEmpty ? prompt : 'Drop another file here, or'}{' '}
            <button
              type="button"
              className="font-semibold text-brand underline underline-offset-2"
              onClick={() => inputRef.current?.click()}
            >
              browse
            </button>
          </span>
          <input
            {...control}
            ref={inputRef}
            type="file"
            className="sr-only"
            accept={accept}
            multiple={isMultiple}
            onChange={(event) => {
              take(event.target.files)
              event.target.value = ''
            }}
          />
          {!isEmpty && (
            <IconButton
              label={`Remove ${typeof frame.label === 'string' ? frame.label.toLowerCase() : 'file'}`}
              icon={Trash2}
              onClick={() => onFile(null)}
            />
          )}
        </div>
      )}
    </Field>
  )
}
