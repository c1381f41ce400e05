import { createContext, use, useEffect } from 'react'
import { Button } from './button.tsx'

/** Unsaved input inside a dialog, and what happens to it when the dialog closes. */
export interface Guard {
  readonly isChanged: () => boolean
  /** Whether the input is stored as a draft. */
  readonly isKept: boolean
}

interface DialogControls {
  /** Closes the dialog, after asking if there is unsaved input. */
  readonly requestClose: () => void
  readonly setGuard: (guard: Guard | null) => void
}

export const DialogContext = createContext<DialogControls>({
  requestClose: () => undefined,
  setGuard: () => undefined,
})

/** Makes the dialog around a form ask before it closes with unsaved input. Returns a function that closes it. */
export function useDialogGuard({ isChanged, isKept }: Guard): () => void {
  const { setGuard, requestClose } = use(DialogContext)
  useEffect(() => {
    setGuard({ isChanged, isKept })
    return () => setGuard(null)
  }, [setGuard, isChanged, isKept])
  return requestClose
}

/** The question when a dialog with unsaved input is about to close. */
export function CloseQuestion({
  isKept,
  onStay,
  onClose,
}: {
  readonly isKept: boolean
  readonly onStay: () => void
  readonly onClose: () => void
}) {
  return (
    <div className="absolute inset-0 z-10 grid place-items-center bg-[var(--backdrop)] p-5">
      <div
        role="alertdialog"
        aria-modal
        aria-labelledby="close-question"
        aria-describedby="close-question-detail"
        className="w-full max-w-sm rounded-lg border border-line bg-raised p-5 shadow-lg"
      >
        <h3 id="close-question" className="text-base">
          Close without saving?
        </h3>
        <p id="close-question-detail" className="mt-1 text-sm text-muted">
          {isKept
            ? 'Your input is kept in this browser as a draft and restored when you come back.'
            : 'Your changes will be lost.'}
        </p>
        <div className="mt-4 flex justify-end gap-2">
          <Button look="ghost" onClick={onClose}>
            Close
          </Button>
          <Button look="primary" autoFocus onClick={onStay}>
            Keep editing
          </Button>
        </div>
      </div>
    </div>
  )
}
