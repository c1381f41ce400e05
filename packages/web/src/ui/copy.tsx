import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { toast } from '../shell/toasts.ts'
import { Button, IconButton } from './button.tsx'

const SHOWN_MS = 1600

/** Copies text; false if the browser does not allow it. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

/** Browsers offer no clipboard over plain HTTP, but a selection works. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  const host = document.querySelector('dialog:modal') ?? document.body
  host.append(area)
  area.select()
  const isDone = document.execCommand('copy')
  area.remove()
  return isDone
}

export function CopyButton({
  text,
  label = 'Copy',
  what,
  look = 'ghost',
  className,
  onCopied,
}: {
  readonly text: string
  /** The visible label; null: the button is only an icon. */
  readonly label?: string | null
  /** What is copied, for screen readers. */
  readonly what: string
  readonly look?: 'ghost' | 'plain' | 'primary'
  readonly className?: string
  readonly onCopied?: (() => void) | undefined
}) {
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    if (!(await copyText(text)))
      return void toast.failure('Your browser blocked copying. Select the text and copy it yourself.')
    setIsCopied(true)
    onCopied?.()
    setTimeout(() => setIsCopied(false), SHOWN_MS)
  }
  const icon = isCopied ? Check : Copy
  const said = isCopied ? 'Copied' : `Copy ${what}`
  return label === null ? (
    <IconButton look={look} icon={icon} label={said} className={className} onClick={() => void copy()} />
  ) : (
    <Button look={look} icon={icon} aria-label={said} className={className} onClick={() => void copy()}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
