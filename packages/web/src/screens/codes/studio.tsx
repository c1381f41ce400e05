import { Link } from '@tanstack/react-router'
import { ArrowLeft } from 'lucide-react'
import type { ReactNode } from 'react'
import { Notice } from '../../ui/notice.tsx'
import { Card, ScreenHead } from '../../ui/screen.tsx'

/** The frame of both studios: what can be changed at the left, what it looks like at the right, always in sight. */
export function StudioFrame({
  title,
  kind,
  actions,
  controls,
  preview,
}: {
  readonly title: string
  readonly kind: 'qr' | 'barcode'
  readonly actions: ReactNode
  readonly controls: ReactNode
  readonly preview: ReactNode
}) {
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
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(20rem,26rem)]">
        <div className="order-2 min-w-0 space-y-6 lg:order-1">{controls}</div>
        <div className="order-1 min-w-0 lg:sticky lg:top-8 lg:order-2">{preview}</div>
      </div>
    </>
  )
}

/** What may keep a code from scanning, in place and while one types. */
export function ScanVerdict({ warnings }: { readonly warnings: readonly string[] }) {
  return (
    <div aria-live="polite" className="space-y-2">
      {warnings.length === 0 ? (
        <Notice kind="info">Nothing keeps this from scanning.</Notice>
      ) : (
        warnings.map((warning) => (
          <Notice key={warning} kind="warn">
            {warning}
          </Notice>
        ))
      )}
    </div>
  )
}

export function PreviewCard({ children }: { readonly children: ReactNode }) {
  return <Card className="space-y-4 p-4 sm:p-5">{children}</Card>
}
