import type { Page } from '@waymark/sdk'
import { DraftNotice } from '../../forms/draft-notice.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { Notice } from '../../ui/notice.tsx'
import { ago } from '../../ui/times.ts'
import { UploadBar } from '../../ui/upload-progress.tsx'
import { PageFields } from './page-fields.tsx'
import type { PageFormState, PageValues } from './page-form.ts'
import { namesOfConflicts } from './publish-conflicts.ts'
import { ShareCard } from './share-card.tsx'
import { NEW_PAGE } from './use-page-saving.ts'

/** The editing side of the builder: what there is to know about the page, then its fields. */
export function BuilderFields({
  form,
  page,
  uploadShare,
  initial,
  isNew,
  isCopy,
}: {
  readonly form: PageFormState
  readonly page: Page | null
  readonly uploadShare: number | null
  readonly initial: PageValues
  readonly isNew: boolean
  readonly isCopy: boolean
}) {
  const isAboutFields = Object.keys(form.faults).length > 0
  return (
    <>
      {isNew && !isCopy && <NewPageDraft form={form} initial={initial} />}
      {page !== null && page.unpublished !== null && (
        <Notice kind="info">
          You are editing a draft, saved {ago(page.updated_at)}. Visitors see the published version until you
          publish it.
        </Notice>
      )}
      {page !== null && page.conflicts.length > 0 && (
        <Notice kind="warn">
          Changed on the published page after you began this draft: {namesOfConflicts(page)}. When you
          publish, you choose what to keep.
        </Notice>
      )}
      <UploadBar share={uploadShare} />
      {form.failure !== null && (
        <Notice kind="danger">
          {isAboutFields ? 'Some fields are not valid. Check the fields marked below.' : form.failure}
        </Notice>
      )}
      {page !== null && !isNew && <ShareCard page={page} />}
      <PageFields form={form} isNew={isNew} />
    </>
  )
}

/** Files cannot be kept in this browser. */
const OMITTED = ['images', 'logo', 'logoFile'] as const

/** Keeps a page that was never published in this browser. */
function NewPageDraft({ form, initial }: { readonly form: PageFormState; readonly initial: PageValues }) {
  return <DraftNotice draft={useDraft(NEW_PAGE, form, initial, OMITTED)} />
}
