import type { Link } from '@waymark/sdk'
import { useId, useState } from 'react'
import { api } from '../../api/client.ts'
import { linksChanged } from '../../api/shorten.ts'
import { DraftNotice } from '../../forms/draft-notice.tsx'
import { removeDraft } from '../../forms/drafts.ts'
import { Form } from '../../forms/form.tsx'
import { useDraft } from '../../forms/use-draft.ts'
import { useRowForm } from '../../forms/use-row-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { copyText } from '../../ui/copy.tsx'
import { useDialogGuard } from '../../ui/dialog-guard.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { MayEdit } from '../../ui/may.tsx'
import { Demanded, loadOnDemand } from '../../ui/load-on-demand.tsx'
import { LinkFields } from './link-fields.tsx'
import { copiedValues, createBody, editBody, nameOfField, valuesOf } from './link-form.ts'

const LinkAside = loadOnDemand(async () => (await import('./link-aside.tsx')).LinkAside)

interface LinkPanelProps {
  readonly isOpen: boolean
  /** Null: a new link. */
  readonly link: Link | null
  /** The link to copy. */
  readonly copyOf?: Link | null
  readonly onClose: () => void
  readonly onSaved?: (link: Link) => void
}

/** All fields of a link, in a side panel, so that the list stays visible. */
export function LinkPanel({ isOpen, link, copyOf = null, onClose, onSaved }: LinkPanelProps) {
  return (
    <Dialog
      kind="panel"
      isWide
      isOpen={isOpen}
      onClose={onClose}
      title={link !== null ? 'Edit link' : copyOf === null ? 'New link' : 'Duplicate link'}
      isBare
    >
      {/* Another link, or the next new one, begins with its own values. */}
      <LinkForm key={(link ?? copyOf)?.uuid ?? 'new'} {...{ link, copyOf, onClose, onSaved }} />
    </Dialog>
  )
}

/** Secrets must not be stored in the browser, and files cannot be. */
const NOT_IN_DRAFT = ['password', 'removesPassword', 'cardImage'] as const

function LinkForm({ link, copyOf = null, onClose, onSaved }: Omit<LinkPanelProps, 'isOpen'>) {
  const formId = useId()
  const [initial] = useState(() => (copyOf === null ? valuesOf(link) : copiedValues(copyOf)))
  // A draft of an older version of the link would undo later changes.
  const [draftKey] = useState(
    link === null
      ? `link.${copyOf === null ? 'new' : `copy.${copyOf.uuid}`}`
      : `link.${link.uuid}.${link.updated_at}`,
  )
  const form = useRowForm(link, {
    initial,
    valuesOf,
    nameOf: nameOfField,
    create: (values) =>
      api.generateLink({
        ...createBody(values),
        // The form has no fields for these.
        ...(copyOf !== null && { rules: copyOf.rules, variants: copyOf.variants }),
      }),
    edit: (row, values) => api.editLinks(editBody(row, values), { ifMatch: row }),
    onSaved: async ({ data, message }) => {
      void linksChanged()
      const isCopied = link === null && (await copyText(data.short_url))
      toast.news(isCopied ? `${message} and copied` : message)
      removeDraft(draftKey)
      onSaved?.(data)
      onClose()
    },
  })
  const draft = useDraft(draftKey, form, initial, NOT_IN_DRAFT)
  const does = link === null ? 'generateLink' : 'editLinks'
  const requestClose = useDialogGuard({ isChanged: form.isChanged, isKept: true })
  return (
    <>
      <div className="min-h-0 flex-1 gap-8 overflow-y-auto px-5 py-5 sm:px-6 md:grid md:grid-cols-[1fr_14rem]">
        <Form id={formId} form={form} className="min-w-0 space-y-5">
          <DraftNotice draft={draft} />
          <MayEdit
            does={does}
            lead={link === null ? 'You cannot create links.' : 'You can look at this link.'}
          >
            <div className="space-y-5">
              <LinkFields form={form} link={link} />
            </div>
          </MayEdit>
        </Form>
        <div className="mt-6 max-w-56 md:sticky md:top-0 md:mt-0 md:self-start">
          {/* Without it the link can still be saved. */}
          <Demanded onFailure={(error) => toast.failure(error.message)}>
            <LinkAside values={form.values} link={link} />
          </Demanded>
        </div>
      </div>
      <footer className="flex justify-end gap-2 border-t border-line px-5 py-3 sm:px-6">
        <Button look="ghost" onClick={requestClose}>
          Cancel
        </Button>
        <Button does={does} look="primary" type="submit" form={formId} isBusy={form.isBusy}>
          {link === null ? 'Create link' : 'Save changes'}
        </Button>
      </footer>
    </>
  )
}
