import { Archive, ArchiveRestore, Download, TagsIcon, TimerOff, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { bulkEdit, type BulkChange, type BulkTarget } from '../../api/bulk-edit.ts'
import { exportAddress, type LinkFilter } from '../../api/links.ts'
import type { Selection } from '../../lists/use-selection.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { counted } from '../../ui/numbers.ts'
import { openDownload } from '../codes/save-file.ts'
import { BulkQuestion } from './bulk-question.tsx'
import { TagDialog } from './tag-dialog.tsx'

interface BulkBarProps {
  readonly selection: Selection
  readonly filter: LinkFilter
  /** Number of links that match the filter. */
  readonly total: number
  /** Whether the selected links are archived, so that they can be unarchived. */
  readonly isArchive: boolean
  readonly onRemove: () => void
}

/** Actions for the selected links, or for all that match the filter. */
export function BulkBar({ selection, filter, total, isArchive, onRemove }: BulkBarProps) {
  const [open, setOpen] = useState<'tags' | 'expire' | 'remove' | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const { isEverything } = selection
  const count = isEverything ? total : selection.uuids.length
  const target: BulkTarget = isEverything ? { filter } : { uuids: selection.uuids }
  const links = counted(count, 'link')

  const run = async (change: BulkChange, done: string): Promise<void> => {
    setOpen(null)
    setIsBusy(true)
    if (await bulkEdit(target, change, done)) selection.clear()
    setIsBusy(false)
  }
  if (count === 0 && !isBusy) return null
  return (
    <div className="sticky bottom-20 z-10 mx-auto mt-4 flex w-fit max-w-full flex-wrap items-center justify-center gap-x-1 gap-y-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 text-sm shadow-lg lg:bottom-6">
      <span role="status" className="mr-2 font-semibold tabular max-sm:-order-2 max-sm:w-[calc(100%-3.5rem)]">
        {isBusy ? `Changing ${links}…` : `${links} selected`}
      </span>
      {!isBusy && selection.isAll && !isEverything && total > selection.uuids.length && (
        <Button look="ghost" className="text-brand!" onClick={selection.everything}>
          Select all {counted(total, 'link')}
        </Button>
      )}
      <Button
        does="bulkEditLinks"
        look="ghost"
        icon={TagsIcon}
        disabled={isBusy}
        onClick={() => setOpen('tags')}
      >
        Tags
      </Button>
      <Button
        look="ghost"
        does="bulkEditLinks"
        icon={isArchive ? ArchiveRestore : Archive}
        disabled={isBusy}
        onClick={() => void run({ archived: !isArchive }, isArchive ? 'unarchived' : 'archived')}
      >
        {isArchive ? 'Unarchive' : 'Archive'}
      </Button>
      <Button
        does="bulkEditLinks"
        look="ghost"
        icon={TimerOff}
        disabled={isBusy}
        onClick={() => setOpen('expire')}
      >
        Expire
      </Button>
      <Button
        look="ghost"
        icon={Download}
        onClick={() => openDownload(exportAddress(isEverything ? filter : { uuid: selection.uuids.join() }))}
      >
        Export
      </Button>
      <Button
        look="quiet-danger"
        icon={Trash2}
        disabled={isBusy}
        does="removeLinks"
        onClick={() => (isEverything ? setOpen('remove') : onRemove())}
      >
        Remove
      </Button>
      <IconButton
        label="Clear selection"
        icon={X}
        disabled={isBusy}
        className="max-sm:-order-1"
        onClick={selection.clear}
      />
      {open === 'tags' && (
        <TagDialog
          links={links}
          onClose={() => setOpen(null)}
          onAdd={(tags) => void run({ add_tags: tags }, 'tagged')}
          onRemove={(tags) => void run({ remove_tags: tags }, 'untagged')}
        />
      )}
      {open === 'expire' && (
        <BulkQuestion
          title={`Expire ${links}?`}
          action="Expire now"
          onClose={() => setOpen(null)}
          onConfirm={() => void run({ expire_now: true }, 'expired')}
        >
          Visitors see at once that the link has ended. You can undo this, or set another date later.
        </BulkQuestion>
      )}
      {open === 'remove' && (
        <BulkQuestion
          title={`Remove ${links}?`}
          action="Move to trash"
          onClose={() => setOpen(null)}
          onConfirm={() => void run({ remove: true }, 'removed')}
        >
          This covers all {links} of the list, not only this page. They stop working at once. You can restore
          them from the trash for 30 days. Links of pages, codes and campaigns stay.
        </BulkQuestion>
      )}
    </div>
  )
}
