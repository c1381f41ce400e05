import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Item } from '@waymark/sdk'
import {
  Barcode,
  LayoutTemplate,
  Link2,
  type LucideIcon,
  QrCode,
  RotateCcw,
  Tags,
  Webhook,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api/client.ts'
import { restore } from '../../api/removal.ts'
import { listsChanged, trashQuery } from '../../api/trash.ts'
import { ListBody, ListSearch } from '../../lists/list-body.tsx'
import { FIRST_PAGE } from '../../lists/list-place.ts'
import { useList } from '../../lists/use-list.ts'
import { useSelection } from '../../lists/use-selection.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { May } from '../../ui/may.tsx'
import { counted } from '../../ui/numbers.ts'
import { EmptyState, ScreenHead } from '../../ui/screen.tsx'
import { ago, dayOf } from '../../ui/times.ts'

type Removed = Item<'trash'>

const kinds: Record<Removed['type'], { readonly name: string; readonly icon: LucideIcon }> = {
  link: { name: 'Link', icon: Link2 },
  qrcode: { name: 'QR code', icon: QrCode },
  barcode: { name: 'Barcode', icon: Barcode },
  page: { name: 'Page', icon: LayoutTemplate },
  utm: { name: 'UTM link', icon: Tags },
  webhook: { name: 'Webhook', icon: Webhook },
}

const ERASED_AT_ONCE = 100

/** Erases items in the trash, some at a time. */
async function emptyTrash(): Promise<void> {
  try {
    for (;;) {
      const { data } = await api.trash({ limit: ERASED_AT_ONCE })
      if (data.length === 0) return
      await api.erase({ uuids: data.map(({ uuid }) => uuid) })
    }
  } finally {
    await listsChanged()
  }
}

/** Items removed in the last 30 days. */
export function Trash() {
  const { search } = useSearch({ from: '/inside/trash' })
  const navigate = useNavigate({ from: '/trash' })
  const list = useList((cursor) => trashQuery(search, cursor))
  const selection = useSelection(list.rows.map(({ uuid }) => uuid))
  const [isBusy, setIsBusy] = useState(false)
  const [isEmptying, setIsEmptying] = useState(false)
  const bringBack = async (uuids: readonly string[]): Promise<void> => {
    setIsBusy(true)
    await restore(uuids)
    selection.clear()
    setIsBusy(false)
  }
  return (
    <>
      <ScreenHead
        title="Trash"
        lead="Removed links, codes, pages and webhooks can be restored for 30 days. Then they are erased."
      >
        {list.total > 0 && selection.uuids.length === 0 && (
          <Button does="erase" look="quiet-danger" icon={Trash2} onClick={() => setIsEmptying(true)}>
            Empty trash
          </Button>
        )}
        {selection.uuids.length > 0 && (
          <Button
            does="restore"
            look="primary"
            icon={RotateCcw}
            isBusy={isBusy}
            onClick={() => void bringBack(selection.uuids)}
          >
            Restore {counted(selection.uuids.length, 'item')}
          </Button>
        )}
      </ScreenHead>
      <ListSearch
        list={list}
        label="Search the trash"
        search={search}
        onSearch={(next) => void navigate({ search: { ...FIRST_PAGE, search: next }, replace: true })}
      />
      <ListBody
        list={list}
        what="item"
        skeletons={{ count: 4, className: 'h-14' }}
        whenEmpty={
          <EmptyState
            picture={<Trash2 aria-hidden size={52} strokeWidth={1.2} />}
            title={search === undefined ? 'The trash is empty' : 'No matching items'}
          >
            What you remove stays here for 30 days.
          </EmptyState>
        }
      >
        <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
          {list.rows.map((row) => (
            <TrashRow
              key={row.uuid}
              row={row}
              isPicked={selection.has(row.uuid)}
              onPick={(isRange) => selection.toggle(row.uuid, isRange)}
              onRestore={() => void bringBack([row.uuid])}
              isBusy={isBusy}
            />
          ))}
        </ul>
      </ListBody>
      <Confirm
        isOpen={isEmptying}
        onClose={() => setIsEmptying(false)}
        title="Empty the trash?"
        action="Erase everything"
        onConfirm={emptyTrash}
      >
        <p>
          Everything in the trash is erased now, with its clicks and files. This cannot be undone. Short codes
          that were in use are not given away again.
        </p>
      </Confirm>
    </>
  )
}

function TrashRow({
  row,
  isPicked,
  isBusy,
  onPick,
  onRestore,
}: {
  readonly row: Removed
  readonly isPicked: boolean
  readonly isBusy: boolean
  readonly onPick: (isRange: boolean) => void
  readonly onRestore: () => void
}) {
  const { name, icon: Icon } = kinds[row.type]
  return (
    <li className="flex min-h-14 items-center gap-3 py-2 pr-3 pl-4">
      <May does="restore">
        <input
          type="checkbox"
          className="checkbox"
          aria-label={`Select ${row.label}`}
          checked={isPicked}
          onClick={(event) => onPick(event.shiftKey)}
          readOnly
        />
      </May>
      <Icon aria-hidden size={17} className="shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate text-left font-semibold">
          {row.label}
        </p>
        <p className="text-sm text-faint">
          {name}, removed {ago(row.removed_at)}, erased on {dayOf(row.erased_at)}
        </p>
      </div>
      <Button does="restore" disabled={isBusy} aria-label={`Restore ${row.label}`} onClick={onRestore}>
        Restore
      </Button>
    </li>
  )
}
