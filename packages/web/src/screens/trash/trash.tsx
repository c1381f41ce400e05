import { useInfiniteQuery } from '@tanstack/react-query'
import type { Item } from '@waymark/sdk'
import {
  Barcode,
  LayoutTemplate,
  Link2,
  type LucideIcon,
  QrCode,
  RotateCcw,
  Tags,
  Trash2,
} from 'lucide-react'
import { useState } from 'react'
import { restore } from '../../api/removal.ts'
import { trashPages } from '../../api/trash.ts'
import { Button } from '../../ui/button.tsx'
import { Failure } from '../../ui/failure.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { counted } from '../../ui/numbers.ts'
import { EmptyState, ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { ago, dayOf } from '../../ui/times.ts'
import { useSelection } from '../links/use-selection.ts'

type Removed = Item<'trash'>

const kinds: Record<Removed['type'], { readonly name: string; readonly icon: LucideIcon }> = {
  link: { name: 'Link', icon: Link2 },
  qrcode: { name: 'QR code', icon: QrCode },
  barcode: { name: 'Barcode', icon: Barcode },
  page: { name: 'Page', icon: LayoutTemplate },
  utm: { name: 'UTM link', icon: Tags },
}

/** What was removed in the last 30 days. */
export function Trash() {
  const query = useInfiniteQuery(trashPages)
  const rows = (query.data?.pages ?? []).flatMap(({ data }) => data)
  const selection = useSelection(rows.map(({ uuid }) => uuid))
  const [isBusy, setIsBusy] = useState(false)
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
        lead="Removed links, codes and pages can be restored for 30 days. Then they are erased."
      >
        {selection.uuids.length > 0 && (
          <Button
            look="primary"
            icon={RotateCcw}
            isBusy={isBusy}
            onClick={() => void bringBack(selection.uuids)}
          >
            Restore {counted(selection.uuids.length, 'item')}
          </Button>
        )}
      </ScreenHead>
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <Skeletons count={4} className="h-14" />}
      {query.data !== undefined && rows.length === 0 && (
        <EmptyState picture={<Trash2 aria-hidden size={52} strokeWidth={1.2} />} title="The trash is empty">
          What you remove stays here for 30 days.
        </EmptyState>
      )}
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-sm empty:hidden">
        {rows.map((row) => (
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
      {rows.length > 0 && (
        <LoadMore query={query} total={query.data?.pages[0]?.meta.total ?? 0} what="item" />
      )}
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
      <input
        type="checkbox"
        className="checkbox"
        aria-label={`Select ${row.label}`}
        checked={isPicked}
        onClick={(event) => onPick(event.shiftKey)}
        readOnly
      />
      <Icon aria-hidden size={17} className="shrink-0 text-faint" />
      <div className="min-w-0 flex-1">
        <p className="truncate font-semibold">{row.label}</p>
        <p className="text-sm text-faint">
          {name}, removed {ago(row.removed_at)}, erased on {dayOf(row.erased_at)}
        </p>
      </div>
      <Button disabled={isBusy} aria-label={`Restore ${row.label}`} onClick={onRestore}>
        Restore
      </Button>
    </li>
  )
}
