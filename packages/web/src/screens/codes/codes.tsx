import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Barcode as BarcodeIcon, Plus, QrCode as QrIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { useHidden } from '../../api/delayed-removal.ts'
import { barcodesQuery, qrcodesQuery } from '../../api/resources.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Segments } from '../../ui/choices.tsx'
import { Failure } from '../../ui/failure.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare } from '../../ui/plate.tsx'
import { EmptyState, ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { SearchField } from '../../ui/search-field.tsx'

const STEP = 60

/** Every QR code and barcode, as pictures. */
export function Codes() {
  const view = useSearch({ from: '/inside/codes' })
  const navigate = useNavigate({ from: '/codes' })
  const kind = view.kind ?? 'qr'
  return (
    <>
      <ScreenHead
        title="Codes"
        lead="QR codes and barcodes, drawn as you type and checked by a scanner before you get them."
      >
        <ButtonLink icon={BarcodeIcon} to="/codes/barcode/$uuid" params={{ uuid: 'new' }}>
          New barcode
        </ButtonLink>
        <ButtonLink look="primary" icon={QrIcon} to="/codes/qr/$uuid" params={{ uuid: 'new' }}>
          New QR code
        </ButtonLink>
      </ScreenHead>
      <div className="mb-5 flex flex-wrap items-center gap-3">
        <Segments
          label="Kind of code"
          hasHiddenLabel
          value={kind}
          onValue={(next) =>
            void navigate({ search: { ...view, kind: next === 'barcode' ? 'barcode' : undefined } })
          }
          options={[
            { value: 'qr', label: 'QR codes' },
            { value: 'barcode', label: 'Barcodes' },
          ]}
        />
        <SearchField
          label="Search codes"
          value={view.search}
          onSearch={(search) => void navigate({ search: { ...view, search }, replace: true })}
        />
      </div>
      {kind === 'qr' ? <QrCodes search={view.search} /> : <Barcodes search={view.search} />}
    </>
  )
}

function QrCodes({ search }: { readonly search: string | undefined }) {
  const [limit, setLimit] = useState(STEP)
  const query = useQuery(qrcodesQuery(search, limit))
  const hidden = useHidden()
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeletons count={2} className="h-48" />
  const codes = query.data.data.filter((code) => !hidden.has(code.uuid))
  if (codes.length === 0)
    return (
      <EmptyState
        picture={<QrIcon aria-hidden size={56} strokeWidth={1.2} />}
        title={search === undefined ? 'A sign that cameras can read' : 'No QR code matches'}
        action={
          <ButtonLink look="primary" icon={Plus} to="/codes/qr/$uuid" params={{ uuid: 'new' }}>
            New QR code
          </ButtonLink>
        }
      >
        Pick colours, drop a logo, and see at once whether it still scans. A dynamic one counts its scans and
        can lead elsewhere after it was printed.
      </EmptyState>
    )
  return (
    <Gallery
      hasMore={query.data.meta.next_cursor !== null}
      onMore={() => setLimit(limit + STEP)}
      total={query.data.meta.total}
      what="QR code"
    >
      {codes.map((code) => (
        <li key={code.uuid}>
          <Link
            to="/codes/qr/$uuid"
            params={{ uuid: code.uuid }}
            className="group block overflow-hidden rounded-lg border border-line bg-surface shadow-sm transition-colors hover:border-brand"
          >
            <span className="grid aspect-square place-items-center bg-sunken p-4">
              <img src={code.svg_url} alt="" loading="lazy" className="size-full rounded-sm object-contain" />
            </span>
            <Caption
              title={code.description ?? bare(code.url)}
              detail={code.dynamic ? counted(code.scans, 'scan') : 'static'}
              warnings={code.warnings.length}
            />
          </Link>
        </li>
      ))}
    </Gallery>
  )
}

function Barcodes({ search }: { readonly search: string | undefined }) {
  const [limit, setLimit] = useState(STEP)
  const query = useQuery(barcodesQuery(search, limit))
  const hidden = useHidden()
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === undefined) return <Skeletons count={2} className="h-48" />
  const codes = query.data.data.filter((code) => !hidden.has(code.uuid))
  if (codes.length === 0)
    return (
      <EmptyState
        picture={<BarcodeIcon aria-hidden size={56} strokeWidth={1.2} />}
        title={search === undefined ? 'For the scanners at the till' : 'No barcode matches'}
        action={
          <ButtonLink look="primary" icon={Plus} to="/codes/barcode/$uuid" params={{ uuid: 'new' }}>
            New barcode
          </ButtonLink>
        }
      >
        Code 128, Data Matrix, PDF417 or Aztec, with a caption if you like. Long addresses make long bars: a
        dynamic barcode holds a short link instead.
      </EmptyState>
    )
  return (
    <Gallery
      hasMore={query.data.meta.next_cursor !== null}
      onMore={() => setLimit(limit + STEP)}
      total={query.data.meta.total}
      what="barcode"
    >
      {codes.map((code) => (
        <li key={code.uuid}>
          <Link
            to="/codes/barcode/$uuid"
            params={{ uuid: code.uuid }}
            className="group block overflow-hidden rounded-lg border border-line bg-surface shadow-sm transition-colors hover:border-brand"
          >
            <span className="grid aspect-[4/3] place-items-center bg-sunken p-4">
              <img
                src={code.svg_url}
                alt=""
                loading="lazy"
                className="max-h-full max-w-full rounded-sm object-contain"
              />
            </span>
            <Caption
              title={code.description ?? code.text ?? bare(code.url)}
              detail={code.dynamic ? counted(code.scans, 'scan') : code.symbology}
              warnings={code.warnings.length}
            />
          </Link>
        </li>
      ))}
    </Gallery>
  )
}

function Caption({
  title,
  detail,
  warnings,
}: {
  readonly title: string
  readonly detail: string
  readonly warnings: number
}) {
  return (
    <span className="block px-3 pt-2.5 pb-2">
      <span className="block truncate text-sm font-semibold">{title}</span>
      <span className="flex justify-between gap-2 text-xs text-faint">
        {detail}
        {warnings > 0 && <span className="font-semibold text-warn">{counted(warnings, 'warning')}</span>}
      </span>
    </span>
  )
}

function Gallery({
  children,
  hasMore,
  onMore,
  total,
  what,
}: {
  readonly children: ReactNode
  readonly hasMore: boolean
  readonly onMore: () => void
  readonly total: number
  readonly what: string
}) {
  return (
    <>
      <ul className="grid grid-cols-2 gap-4 sm:grid-cols-3 md:grid-cols-4 xl:grid-cols-5">{children}</ul>
      <div className="mt-5 flex items-center justify-between gap-3 text-sm text-muted">
        <p>{counted(total, what)}</p>
        {hasMore && <Button onClick={onMore}>Show more</Button>}
      </div>
    </>
  )
}
