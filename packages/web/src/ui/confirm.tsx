import { type ReactNode, useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

/** Asks before an action that cannot be undone. */
export function Confirm({
  isOpen,
  onClose,
  title,
  action,
  onConfirm,
  children,
}: {
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly title: string
  readonly action: string
  readonly onConfirm: () => Promise<unknown>
  readonly children: ReactNode
}) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const close = (): void => {
    setFailure(null)
    onClose()
  }
  const confirm = async (): Promise<void> => {
    setIsBusy(true)
    try {
      await onConfirm()
      close()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      onClose={close}
      title={title}
      footer={
        <>
          <Button look="ghost" onClick={close}>
            Cancel
          </Button>
          <Button look="danger" isBusy={isBusy} onClick={() => void confirm()}>
            {action}
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-muted">
        <div>{children}</div>
        {failure !== null && <Notice kind="danger">{failure}</Notice>}
      </div>
    </Dialog>
  )
}
