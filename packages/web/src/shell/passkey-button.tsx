import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { sentenceOf } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { Notice } from '../ui/notice.tsx'

/** A button that asks for a passkey, with what went wrong above it. */
export function PasskeyButton({
  label,
  onUse,
}: {
  readonly label: string
  readonly onUse: () => Promise<void>
}) {
  const [isBusy, setIsBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const use = async (): Promise<void> => {
    setIsBusy(true)
    setFailure(null)
    try {
      await onUse()
    } catch (error) {
      setFailure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <div className="space-y-3">
      {failure !== null && <Notice kind="warn">{failure}</Notice>}
      <Button isBusy={isBusy} onClick={() => void use()} className="min-h-11 w-full">
        <KeyRound aria-hidden size={18} /> {label}
      </Button>
    </div>
  )
}
