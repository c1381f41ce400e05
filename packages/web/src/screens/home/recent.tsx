import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowRight, Link2, LayoutTemplate, QrCode } from 'lucide-react'
import type { ReactNode } from 'react'
import { useHidden } from '../../api/removal.ts'
import { headingOf, isSpent, linksQuery } from '../../api/links.ts'
import { pagesQuery, qrcodesQuery } from '../../api/resources.ts'
import { counted } from '../../ui/numbers.ts'
import { bare, Plate } from '../../ui/plate.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'

export const SHOWN_LINKS = 5
export const SHOWN_CODES = 6
export const SHOWN_PAGES = 5

/** The newest links, codes and pages, or how to create the first one. */
export function Recent() {
  const hidden = useHidden()
  const links = useQuery(linksQuery({}, undefined, SHOWN_LINKS))
  const qrcodes = useQuery(qrcodesQuery(undefined, SHOWN_CODES))
  const pages = useQuery(pagesQuery(undefined, SHOWN_PAGES))
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,1.4fr)_minmax(0,1fr)]">
      <Card title="Recent links" aside={<More to="/links" />}>
        <List isLoading={links.isPending}>
          {links.data?.data
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
        </List>
        {links.data?.data.length === 0 && (
          <Begin icon={<Link2 aria-hidden size={20} />}>
            Paste a URL above. Its short link is copied to your clipboard.
          </Begin>
        )}
      </Card>
      <div className="space-y-6">
        <Card title="Codes" aside={<More to="/codes" />}>
          <ul className="grid grid-cols-3 gap-3 sm:grid-cols-6 lg:grid-cols-3">
            {qrcodes.data?.data.map((code) => (
              <li key={code.uuid}>
                <Link
                  to="/codes/qr/$uuid"
                  params={{ uuid: code.uuid }}
                  className="block overflow-hidden rounded-md border border-line bg-[#fff] p-1.5 hover:border-brand"
                >
                  <img
                    src={code.svg_url}
                    alt={code.description ?? `QR code for ${bare(code.url)}`}
                    className="aspect-square w-full object-contain"
                  />
                </Link>
              </li>
            ))}
          </ul>
          {qrcodes.data?.data.length === 0 && (
            <Begin icon={<QrCode aria-hidden size={20} />}>
              <Link
                to="/codes/qr/$uuid"
                params={{ uuid: 'new' }}
                className="font-semibold text-brand underline underline-offset-2"
              >
                Create a QR code
              </Link>{' '}
              with your colours and logo. The preview shows whether it still scans.
            </Begin>
          )}
        </Card>
        <Card title="Pages" aside={<More to="/pages" />}>
          <List isLoading={pages.isPending}>
            {pages.data?.data.map((page) => (
              <li key={page.uuid}>
                <Link
                  to="/pages/$uuid"
                  params={{ uuid: page.uuid }}
                  className="-mx-2 flex items-baseline justify-between gap-3 rounded-md px-2 py-1.5 hover:bg-sunken"
                >
                  <span dir="auto" className="truncate font-semibold">
                    {page.title}
                  </span>
                  <span className="shrink-0 text-sm text-muted tabular">{counted(page.views, 'view')}</span>
                </Link>
              </li>
            ))}
          </List>
          {pages.data?.data.length === 0 && (
            <Begin icon={<LayoutTemplate aria-hidden size={20} />}>
              <Link
                to="/pages/$uuid"
                params={{ uuid: 'new' }}
                className="font-semibold text-brand underline underline-offset-2"
              >
                Create a page
              </Link>{' '}
              for all your links. It has its own short link and QR code.
            </Begin>
          )}
        </Card>
      </div>
    </div>
  )
}

function More({ to }: { readonly to: '/links' | '/codes' | '/pages' }) {
  return (
    <Link to={to} className="flex items-center gap-1 text-sm font-semibold text-brand hover:underline">
      View all <ArrowRight aria-hidden size={14} />
    </Link>
  )
}

function List({ isLoading, children }: { readonly isLoading: boolean; readonly children: ReactNode }) {
  return isLoading ? <div className="skeleton h-24" /> : <ul className="space-y-0.5">{children}</ul>
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
