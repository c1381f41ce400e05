import { X } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classes } from './classes.ts'
import { CloseQuestion, DialogContext, type Guard } from './dialog-guard.tsx'

interface DialogProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly kind?: 'modal' | 'panel' | 'palette'
  readonly isWide?: boolean
  readonly hasHiddenTitle?: boolean
  /** Whether the content scrolls by itself and has its own footer. */
  readonly isBare?: boolean
  /** Whether only its own buttons close it, because its content is not shown again. */
  readonly isLocked?: boolean
  /** Stays at the bottom while the content scrolls. */
  readonly footer?: ReactNode
  readonly children: ReactNode
}

const FIELDS = ':is(input, select, textarea):not([readonly], [disabled], [type="checkbox"], [type="file"])'

/** Opens it with the first field focused, if there is one. */
function open(dialog: HTMLDialogElement): void {
  const { documentElement } = document
  documentElement.style.setProperty('--scrollbar', `${innerWidth - documentElement.clientWidth}px`)
  dialog.showModal()
  const field = dialog.querySelector<HTMLElement>(FIELDS)
  ;(field ?? dialog).focus()
}

/** The browser's own `close` event comes in a later task, when the next key may have opened the dialog again. */
function close(dialog: HTMLDialogElement | null): void {
  dialog?.close()
  dialog?.dispatchEvent(new Event('close'))
}

/**
 * The browser's dialog element: it traps the focus and restores it, closes on Escape (after asking if there is unsaved input)
 * and makes the rest of the screen inert, without any script or style element of ours.
 */
export function Dialog({
  isOpen,
  onClose,
  title,
  kind = 'modal',
  isWide = false,
  hasHiddenTitle = false,
  isBare = false,
  isLocked = false,
  footer,
  children,
}: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  const guard = useRef<Guard | null>(null)
  const [question, setQuestion] = useState<Guard | null>(null)
  const controls = useMemo(
    () => ({
      requestClose: () => {
        if (guard.current?.isChanged() === true) setQuestion(guard.current)
        else close(ref.current)
      },
      setGuard: (next: Guard | null) => {
        guard.current = next
      },
    }),
    [],
  )

  useEffect(() => {
    const dialog = ref.current
    if (dialog === null) return
    if (isOpen && !dialog.open) open(dialog)
    if (!isOpen && dialog.open) dialog.close()
  }, [isOpen])

  const isPanel = kind === 'panel'
  return (
    <DialogContext value={controls}>
      <dialog
        ref={ref}
        aria-labelledby={titleId}
        tabIndex={-1}
        // Without it the browser closes the dialog at the second Escape or Back, whatever its handlers say.
        closedby={isLocked ? 'none' : undefined}
        className={classes(
          isPanel ? 'panel' : 'modal',
          isWide && (isPanel ? 'panel-wide' : 'modal-wide'),
          kind === 'palette' && 'modal-palette',
        )}
        onClose={() => {
          // Already reported, opened again, or unmounted.
          if (!isOpen || ref.current?.open !== false) return
          setQuestion(null)
          onClose()
        }}
        onKeyDown={(event) => {
          // An open menu or list inside closes first, handled by the browser.
          if (event.key !== 'Escape' || event.currentTarget.querySelector(':popover-open') !== null) return
          event.preventDefault()
          if (isLocked) return
          if (question === null) controls.requestClose()
          else setQuestion(null)
        }}
        onPointerDown={(event) => event.target === ref.current && !isLocked && controls.requestClose()}
        onCancel={(event) => isLocked && event.preventDefault()}
      >
        {isOpen && (
          <div
            inert={question !== null}
            className={classes('flex flex-col', isPanel && 'h-full', kind === 'modal' && 'max-h-[inherit]')}
          >
            <header
              className={
                hasHiddenTitle
                  ? 'sr-only'
                  : 'flex items-center justify-between gap-4 border-b border-line px-5 py-3 sm:px-6'
              }
            >
              <h2 id={titleId} className="pt-0.5 text-lg">
                {title}
              </h2>
              {!isLocked && (
                <IconButton label="Close" icon={X} onClick={controls.requestClose} className="-mr-2" />
              )}
            </header>
            {kind === 'palette' || isBare ? (
              children
            ) : (
              <div className="min-h-0 flex-1 overflow-y-auto px-5 py-5 sm:px-6">{children}</div>
            )}
            {footer !== undefined && (
              <footer className="flex flex-wrap items-center justify-end gap-2 border-t border-line px-5 py-3 sm:px-6">
                {footer}
              </footer>
            )}
          </div>
        )}
        {question !== null && (
          <CloseQuestion
            isKept={question.isKept}
            onStay={() => setQuestion(null)}
            onClose={() => close(ref.current)}
          />
        )}
      </dialog>
    </DialogContext>
  )
}
