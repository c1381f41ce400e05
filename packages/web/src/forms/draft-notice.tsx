import { Notice } from '../ui/notice.tsx'
import { ago } from '../ui/times.ts'

/** Shows that a form contains restored input, and how to discard it. */
export function DraftNotice({
  draft,
}: {
  readonly draft: { readonly restoredAt: string | null; readonly discard: () => void }
}) {
  if (draft.restoredAt === null) return null
  return (
    <Notice kind="info">
      Restored your unsaved draft ({ago(draft.restoredAt)}).{' '}
      <button type="button" className="font-bold underline underline-offset-2" onClick={draft.discard}>
        Discard draft
      </button>
    </Notice>
  )
}
