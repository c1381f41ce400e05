import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Link2, QrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import { headingOf, isSpent, recentLinksQuery } from '../../api/links.ts'
import { useHidden } from '../../api/removal.ts'
import { qrcodesQuery } from '../../api/resources.ts'
import { useMay } from '../../api/workspaces.ts'
import { Loaded } from '../../ui/failure.tsx'
import { counted } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'

const SHOWN_CODES = 6
export const recentCodesQuery = qrcodesQuery(undefined, SHOWN_CODES)

/** The newest links without an owner; those of pages and codes are listed with their owners. */
export function RecentLinks() {
  const hidden = useHidden()
  const links = useQuery(recentLinksQuery)
  const may = useMay()
  return (
    <Card title="Recent links" aside={<More to="/links" />}>
      <Loaded query={links} skeleton="h-64">
        {({ data }) =>
          data.length === 0 ? (
            <Begin icon={<Link2 aria-hidden size={20} />}>
              {may('generateLink')
                ? 'Paste a URL above. Its short link is copied to your clipboard.'
                : 'No links yet'}
            </Begin>
          ) : (
            <ul className="space-y-0.5">
              {data
                .filter((link) => !hidden.has(link.uuid))
                .map((link) => (
                  <li key={link.uuid}>
                    <Link
                      to="/links/$code"
                      params={{ code: link.code }}
                      search={{ domain: link.domain }}
                      className="-mx-2 grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 rounded-md px-2 py-2 hover:bg-sunken"
                    >
                      <span className="min-w-0">
                        <Plate shortUrl={link.short_url} look={isSpent(link) ? 'faded' : 'soft'} />
                        <span dir="auto" className="mt-0.5 block truncate text-left text-sm text-muted">
                          {headingOf(link) ?? bare(link.link)}
                        </span>
                      </span>
                      <span className="text-right text-sm">
                        <span className="block font-semibold tabular">{counted(link.clicks, 'click')}</span>
                        <span className="text-faint">{ago(link.created_at)}</span>
                      </span>
                    </Link>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

/** The newest QR codes. */
export function RecentCodes() {
  const hidden = useHidden()
  const codes = useQuery(recentCodesQuery)
  const may = useMay()
  return (
    <Card title="Codes" aside={<More to="/codes" />}>
      <Loaded query={codes} skeleton="h-28">
        {({ data }) =>
          data.length === 0 ? (
            <Begin icon={<QrCode aria-hidden size={20} />}>
              {may('generateQr') ? (
                <>
                  <Link
                    to="/codes/qr/$uuid"
                    params={{ uuid: 'new' }}
                    className="font-semibold text-brand underline underline-offset-2"
                  >
                    Create a QR code
                  </Link>{' '}
                  with your colours and logo. The preview shows whether it still scans.
                </>
              ) : (
                'No codes yet'
              )}
            </Begin>
          ) : (
            <ul className="grid grid-cols-3 gap-3 sm:grid-cols-6">
              {data
                .filter((code) => !hidden.has(code.uuid))
                .map((code) => (
                  <li key={code.uuid}>
                    <Link
                      to="/codes/qr/$uuid"
                      params={{ uuid: code.uuid }}
                      title={code.description ?? bare(code.url ?? code.content?.type ?? '')}
                      className="block overflow-hidden rounded-md border border-line bg-[#fff] p-1.5 hover:border-brand"
                    >
                      <img
                        src={code.svg_url}
                        alt={code.description ?? `QR code for ${bare(code.url ?? code.content?.type ?? '')}`}
                        className="aspect-square w-full object-contain"
                      />
                    </Link>
                  </li>
                ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

export function More({ to }: { readonly to: '/links' | '/codes' | '/statistics' }) {
  return (
    <Link to={to} className="flex items-center gap-1 text-sm font-semibold text-brand hover:underline">
      View all <ArrowRight aria-hidden size={14} />
    </Link>
  )
}

function Begin({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <div className="flex items-start gap-3 text-sm text-muted">
      <span className="grid size-9 shrink-0 place-items-center rounded-md bg-brand-soft text-brand">
        {icon}
      </span>
      <p>{children}</p>
    </div>
  )
}
