import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'

/** Asks before many links are changed in a way that visitors notice. */
export function BulkQuestion({
  title,
  action,
  onClose,
  onConfirm,
  children,
}: {
  readonly title: string
  readonly action: string
  readonly onClose: () => void
  readonly onConfirm: () => void
  readonly children: ReactNode
}) {
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="danger" onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      <p className="text-muted">{children}</p>
    </Dialog>
  )
}
