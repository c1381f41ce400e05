import { Copy, Eye, EyeOff, GripVertical, Trash2 } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { IconButton } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'

/** A row of a list that can be moved, hidden and removed. */
export function RowFrame({
  handle,
  rowKey,
  isDragged,
  isShown,
  onShow,
  onDuplicate,
  onRemove,
  name,
  children,
}: {
  readonly handle: ComponentProps<'button'>
  /** Identifies the row on the screen. */
  readonly rowKey?: string
  readonly isDragged: boolean
  readonly isShown?: boolean
  readonly onShow?: (isShown: boolean) => void
  readonly onDuplicate?: () => void
  readonly onRemove: () => void
  readonly name: string
  readonly children: ReactNode
}) {
  return (
    <li
      data-key={rowKey}
      className={classes(
        'flex items-start gap-1 rounded-lg border bg-surface py-3 pr-2 pl-1 transition-shadow',
        isDragged ? 'border-brand shadow-md' : 'border-line',
      )}
    >
      <button
        type="button"
        {...handle}
        title="Drag to reorder"
        className="grid h-10 w-8 shrink-0 cursor-grab touch-none place-items-center text-faint hover:text-ink active:cursor-grabbing"
      >
        <GripVertical aria-hidden size={17} />
      </button>
      <div className={classes('min-w-0 flex-1', isShown === false && 'opacity-55')}>{children}</div>
      <div className="flex flex-col sm:flex-row">
        {onShow !== undefined && isShown !== undefined && (
          <IconButton
            label={isShown ? `Hide ${name}` : `Show ${name}`}
            icon={isShown ? Eye : EyeOff}
            aria-pressed={!isShown}
            onClick={() => onShow(!isShown)}
          />
        )}
        {onDuplicate !== undefined && (
          <IconButton label={`Duplicate ${name}`} icon={Copy} onClick={onDuplicate} />
        )}
        <IconButton label={`Remove ${name}`} icon={Trash2} onClick={onRemove} />
      </div>
    </li>
  )
}
