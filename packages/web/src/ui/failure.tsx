import { sentenceOf } from '../api/client.ts'
import { Button } from './button.tsx'
import { Notice } from './notice.tsx'

/** A part of a screen that failed to load: the server's message and a retry button. */
export function Failure({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-3">
      <Notice kind="danger">{sentenceOf(error)}</Notice>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}
