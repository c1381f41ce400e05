import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, ChartNoAxesColumn, ScanLine } from 'lucide-react'
import type { ReactNode } from 'react'
import { NotFound } from '../../shell/route-states.tsx'
import { ScreenFailure } from '../../ui/failure.tsx'
import { MayEdit } from '../../ui/may.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { Card, ScreenHead, Skeletons } from '../../ui/screen.tsx'
import { useMedia } from '../../ui/use-media.ts'

/** A saved code that has, or had, its own short link. */
interface SavedDynamic {
  readonly short_url: string | null
  readonly scans: number
}

/** The URL of a short link's statistics. */
const linkPlace = (shortUrl: string): { code: string; domain: string } => {
  const { pathname, hostname } = new URL(shortUrl)
  return { code: decodeURIComponent(pathname.slice(1)), domain: hostname }
}

/** Loads a saved code; null shows the 404 screen. */
export function SavedCode<Code>({
  query,
  children,
}: {
  readonly query: UseQueryResult<Code | null>
  readonly children: (code: Code) => ReactNode
}) {
  if (query.isError) return <ScreenFailure error={query.error} onRetry={() => void query.refetch()} />
  if (query.data === null) return <NotFound title="Code not found">This code was removed.</NotFound>
  return query.data === undefined ? <Skeletons count={3} className="h-40" /> : children(query.data)
}

/** The layout of both studios: the controls on the left, the preview on the right, always visible. */
export function StudioFrame({
  title,
  kind,
  actions,
  controls,
  picture,
  details,
}: {
  readonly title: string
  readonly kind: 'qr' | 'barcode'
  readonly actions: ReactNode
  readonly controls: ReactNode
  /** With warnings and downloads; stays visible on phones while the controls scroll. */
  readonly picture: ReactNode
  readonly details: ReactNode
}) {
  const isNarrow = useMedia('(width < 64rem)')
  const fields = (
    <MayEdit does={kind === 'qr' ? 'editQr' : 'editBarcode'} lead="You can download this code.">
      {controls}
    </MayEdit>
  )
  return (
    <>
      <ScreenHead
        title={title}
        above={
          <Link
            to="/codes"
            search={{ kind: kind === 'barcode' ? 'barcode' : undefined }}
            className="mb-3 inline-flex items-center gap-1.5 text-sm font-semibold text-muted hover:text-ink"
          >
            <ArrowLeft aria-hidden size={15} /> Codes
          </Link>
        }
      >
        {actions}
      </ScreenHead>
      {isNarrow ? (
        <div className="space-y-6">
          <div className="sticky top-13 z-10 -mx-4 border-b border-line bg-ground px-4 py-3 sm:-mx-8 [&_img]:max-h-32">
            {picture}
          </div>
          {fields}
          <Card className="space-y-4 p-4 empty:hidden sm:p-5">{details}</Card>
        </div>
      ) : (
        <div className="grid grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)] items-start gap-6">
          <div className="min-w-0 space-y-6">{fields}</div>
          <Card className="sticky top-8 space-y-4 p-5">
            {picture}
            {details}
          </Card>
        </div>
      )}
    </>
  )
}

/** Whether a code scans, updated while typing; null until that is known. */
export function ScanVerdict({ warnings }: { readonly warnings: readonly string[] | null }) {
  return (
    <div
      aria-live="polite"
      aria-busy={warnings === null}
      className="max-h-24 space-y-2 overflow-y-auto lg:max-h-none"
    >
      {warnings === null && (
        <div className="flex items-center gap-2.5 rounded-md bg-sunken px-3 py-2.5 text-sm text-muted">
          <ScanLine aria-hidden size={17} /> Checking…
        </div>
      )}
      {warnings?.length === 0 && <Notice kind="info">Scans reliably</Notice>}
      {warnings?.map((warning) => (
        <Notice key={warning} kind="warn">
          {warning}
        </Notice>
      ))}
    </div>
  )
}

/** How often a dynamic code was scanned, with a link to its statistics. */
export function Scans({ code }: { readonly code: SavedDynamic | null }) {
  const place = code?.short_url == null ? null : linkPlace(code.short_url)
  if (code === null || place === null) return null
  return (
    <p className="flex flex-wrap items-center justify-between gap-2 border-t border-line pt-3 text-sm text-muted">
      <span className="font-semibold text-ink tabular">{counted(code.scans, 'scan')}</span>
      <Link
        to="/links/$code"
        params={{ code: place.code }}
        search={{ domain: place.domain }}
        className="inline-flex items-center gap-1.5 font-semibold text-brand hover:underline"
      >
        <ChartNoAxesColumn aria-hidden size={15} /> Scan statistics
      </Link>
    </p>
  )
}

/** The image, with its details beside it on phones and tablets, and below it on desktops. */
export function PictureAndVerdict({
  picture,
  children,
}: {
  readonly picture: ReactNode
  readonly children: ReactNode
}) {
  return (
    <div className="flex items-start gap-4 lg:block lg:space-y-3">
      <div className="w-32 shrink-0 sm:w-56 lg:w-auto">{picture}</div>
      <div className="min-w-0 flex-1 space-y-3">{children}</div>
    </div>
  )
}

/** The image with its caption. Its box has the height of the largest image, to avoid layout shifts. */
export function PictureTable({
  caption,
  title,
  children,
}: {
  readonly caption: string
  readonly title: string
  readonly children?: ReactNode
}) {
  return (
    <figure>
      <div className="grid min-h-32 place-items-center rounded-md bg-sunken p-2 lg:min-h-56 lg:p-5">
        {children}
      </div>
      <figcaption
        // A short link fits, so that its code is never cut.
        className="mt-2 line-clamp-4 text-center text-sm wrap-anywhere text-muted lg:line-clamp-2"
        title={title}
      >
        {caption}
      </figcaption>
    </figure>
  )
}
