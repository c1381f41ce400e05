import type { Page } from '@waymark/sdk'
import { DraftNotice } from '../../forms/draft-notice.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { Segments } from '../../ui/choices.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ago } from '../../ui/times.ts'
import { UploadBar } from '../../ui/upload-progress.tsx'
import { isBlankPage } from './block-kinds.ts'
import { PageFields, type Section, sections } from './page-fields.tsx'
import type { PageFormState, PageValues } from './page-form.ts'
import { namesOfConflicts } from './publish-conflicts.ts'
import { ShareCard } from './share-card.tsx'
import { Templates } from './templates.tsx'
import { NEW_PAGE } from './use-page-saving.ts'

/** The editing side of the builder: notices about the page, then its fields. */
export function BuilderFields({
  form,
  page,
  uploadShare,
  initial,
  isNew,
  isCopy,
  section,
  onSection,
}: {
  readonly form: PageFormState
  readonly page: Page | null
  readonly uploadShare: number | null
  readonly initial: PageValues
  readonly isNew: boolean
  readonly isCopy: boolean
  readonly section: Section
  readonly onSection: (section: Section) => void
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
      <Segments
        label="Part of the page"
        hasHiddenLabel
        value={section}
        onValue={onSection}
        options={sections}
      />
      {isNew && !isCopy && section === 'content' && isBlankPage(form.values) && <Templates form={form} />}
      <PageFields form={form} isNew={isNew} section={section} />
    </>
  )
}

/** Files cannot be stored in this browser. */
const OMITTED = ['images', 'logo', 'logoFile'] as const

/** Stores an unpublished page in this browser. */
function NewPageDraft({ form, initial }: { readonly form: PageFormState; readonly initial: PageValues }) {
  return <DraftNotice draft={useDraft(NEW_PAGE, form, initial, OMITTED)} />
}
