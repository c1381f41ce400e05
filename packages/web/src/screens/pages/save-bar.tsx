import type { Page } from '@waymark/sdk'
import {
  Check,
  CircleAlert,
  CircleDashed,
  LoaderCircle,
  type LucideIcon,
  PencilLine,
  Send,
  Undo2,
} from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { isBlankPage } from './block-kinds.ts'
import { canBeSaved } from './page-body.ts'
import type { PageFormState } from './page-form.ts'

interface SaveState {
  readonly icon: LucideIcon
  readonly text: string
  readonly look: string
}

const NEUTRAL = 'text-muted'

/** The state of the latest changes. */
const stateOf = (form: PageFormState, page: Page | null, isPublishing: boolean): SaveState => {
  if (isPublishing)
    return { icon: LoaderCircle, text: 'Publishing…', look: `${NEUTRAL} [&_svg]:animate-spin` }
  if (form.isBusy) return { icon: LoaderCircle, text: 'Saving…', look: `${NEUTRAL} [&_svg]:animate-spin` }
  if (form.failure !== null) return { icon: CircleAlert, text: 'Not saved', look: 'text-danger' }
  if (page === null) return { icon: CircleDashed, text: 'Not published yet', look: NEUTRAL }
  if (form.isChanged())
    return {
      icon: PencilLine,
      text: canBeSaved(form.values) ? 'Unsaved changes' : 'Unsaved changes: fill in the empty fields',
      look: NEUTRAL,
    }
  if (page.unpublished !== null) return { icon: PencilLine, text: 'Draft saved', look: 'text-ink' }
  return { icon: Check, text: 'Published', look: 'text-brand' }
}

/** Stays visible: the state of the changes, and actions for them. */
export function SaveBar({
  form,
  page,
  isPublishing,
  onDiscard,
}: {
  readonly form: PageFormState
  readonly page: Page | null
  readonly isPublishing: boolean
  readonly onDiscard: () => void
}) {
  const { icon: Icon, text, look } = stateOf(form, page, isPublishing)
  const isPublished = page !== null && page.unpublished === null && !form.isChanged()
  const hasNothing = page === null && isBlankPage(form.values)
  const hasDraft = page !== null && page.unpublished !== null
  return (
    <div className="sticky top-13 z-10 -mx-4 mb-6 flex min-h-14 items-center justify-between gap-3 border-y border-line bg-ground px-4 py-2 sm:-mx-8 sm:px-8 lg:top-0 lg:-mx-10 lg:px-10">
      <p role="status" className={`flex min-w-0 items-center gap-2 text-sm font-semibold ${look}`}>
        <Icon aria-hidden size={16} className="shrink-0" />
        <span className="min-w-0 pt-0.5">{text}</span>
      </p>
      <div className="flex shrink-0 gap-2">
        {hasDraft && (
          <Button does="editPage" look="ghost" icon={Undo2} onClick={onDiscard}>
            <span>
              Discard<span className="max-sm:sr-only"> draft</span>
            </span>
          </Button>
        )}
        <Button
          does="editPage"
          look="primary"
          icon={Send}
          type="submit"
          isBusy={isPublishing}
          disabled={isPublished || hasNothing}
        >
          {page === null ? 'Publish' : 'Publish changes'}
        </Button>
      </div>
    </div>
  )
}
